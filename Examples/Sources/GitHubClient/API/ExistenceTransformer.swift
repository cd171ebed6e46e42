import Siesta

/// Makes a `Bool` of an address that says yes by existing: true for any success, false for 404, other errors as they
/// are.
struct ExistenceTransformer: ResponseTransformer {
    func process(_ response: Response) -> Response {
        switch response {
        case .success(var entity):
            entity.content = true
            return logTransformation(.success(entity))
        case .failure(let error) where error.httpStatusCode == 404:
            guard var entity = error.entity else { return response }
            entity.content = false
            return logTransformation(.success(entity))
        case .failure:
            return response
        }
    }
}
