public import Foundation

/// Requests with all kinds of bodies. They change neither the state of the resource nor its content, and notify no
/// observer.
///
/// The response to a request may have another type than the resource. To decode it, call
/// ``Request/decoded(as:decoder:)``. If the response is the new state of the resource, use
/// ``TypedResource/load(using:)``.
extension TypedResource {
    /// Starts a request; see ``Resource/request(_:requestMutation:)``.
    public func request(
        _ method: RequestMethod, requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request {
        resource.request(method, requestMutation: requestMutation)
    }

    /// Starts a request with a method that is not a ``RequestMethod``; see ``Resource/request(method:requestMutation:)``.
    public func request(
        method: String, requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request {
        resource.request(method: method, requestMutation: requestMutation)
    }

    /// Starts a request with a value as its body, encoded as JSON; see
    /// ``Resource/request(_:body:encoder:requestMutation:)``.
    public func request(
        _ method: RequestMethod, body: some Encodable, encoder: JSONEncoder? = nil,
        requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request {
        resource.request(method, body: body, encoder: encoder, requestMutation: requestMutation)
    }

    /// Starts a request with a JSON object or array as its body; see
    /// ``Resource/request(_:json:contentType:requestMutation:)``.
    public func request(
        _ method: RequestMethod, json: any JSONConvertible, contentType: String = "application/json",
        requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request {
        resource.request(method, json: json, contentType: contentType, requestMutation: requestMutation)
    }

    /// Starts a request with form parameters as its body; see ``Resource/request(_:urlEncoded:requestMutation:)``.
    public func request(
        _ method: RequestMethod, urlEncoded params: [String: String],
        requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request {
        resource.request(method, urlEncoded: params, requestMutation: requestMutation)
    }

    /// Starts a request with a text body; see ``Resource/request(_:text:contentType:encoding:requestMutation:)``.
    public func request(
        _ method: RequestMethod, text: String, contentType: String = "text/plain", encoding: String.Encoding = .utf8,
        requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request {
        resource.request(
            method, text: text, contentType: contentType, encoding: encoding, requestMutation: requestMutation)
    }

    /// Starts a request with bytes as its body; see ``Resource/request(_:data:contentType:requestMutation:)``.
    public func request(
        _ method: RequestMethod, data: Data, contentType: String,
        requestMutation: @escaping Resource.RequestMutation = { _ in }
    ) -> any Request {
        resource.request(method, data: data, contentType: contentType, requestMutation: requestMutation)
    }
}
