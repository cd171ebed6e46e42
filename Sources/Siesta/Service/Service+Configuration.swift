public import Foundation

extension Service {
    /// Adds options for the resources that match `pattern`.
    ///
    /// Entries apply in the order they were added, so that later ones can change what earlier ones did.
    ///
    /// Configurers and tests of URLs may call anything. A resource whose configuration they need in turn answers as if
    /// nothing were configured, and loads that they start are sent so; rules that they add apply from the next use on.
    ///
    /// - Parameters:
    ///   - pattern: a wildcard such as `/users/*`, an `NSRegularExpression`, or a resource; see
    ///     ``ConfigurationPatternConvertible``.
    ///   - requestMethods: the methods that the options are for; nil for all.
    ///   - description: how the entry is named in logs.
    ///   - configurer: makes the changes. Runs later, on the main thread, any number of times; what it reads from the
    ///     app is read anew only after ``invalidateConfiguration()``.
    public final func configure(
        _ pattern: any ConfigurationPatternConvertible, requestMethods: [RequestMethod]? = nil,
        description: String? = nil, configurer: @escaping (inout Configuration) -> Void
    ) {
        addRule(
            compile(pattern), requestMethods, description ?? pattern.configurationPatternDescription, configurer)
    }

    /// Adds options for all resources.
    public final func configure(
        requestMethods: [RequestMethod]? = nil, description: String? = nil,
        configurer: @escaping (inout Configuration) -> Void
    ) {
        addRule(.everything, requestMethods, description ?? "everything", configurer)
    }

    /// Adds options for the resources whose URL passes a test; by default for all.
    public final func configure(
        whenURLMatches: @escaping (URL) -> Bool = { _ in true }, requestMethods: [RequestMethod]? = nil,
        description: String? = nil, configurer: @escaping (inout Configuration) -> Void
    ) {
        addRule(.predicate(whenURLMatches), requestMethods, description ?? "custom", configurer)
    }

    /// Adds a transformer from content of type `I` to content of type `O` for the resources that match `pattern`.
    ///
    ///     service.configureTransformer("/users/*") { try JSONDecoder().decode(User.self, from: $0.content) }
    ///
    /// - Parameters:
    ///   - pattern: which resources; see ``configure(_:requestMethods:description:configurer:)``.
    ///   - requestMethods: the methods; nil for get, put, post, patch and delete.
    ///   - stage: where in the pipeline.
    ///   - action: what happens to the transformers that the stage has already.
    ///   - onInputTypeMismatch: what to do with content that is not an `I`.
    ///   - transformErrors: whether the entities of errors are converted, too.
    ///   - description: how the entry is named in logs.
    ///   - contentTransform: the conversion; runs off the main thread. May throw, see ``ResponseContentTransformer``.
    @preconcurrency
    public final func configureTransformer<I, O>(
        _ pattern: any ConfigurationPatternConvertible, requestMethods: [RequestMethod]? = nil,
        atStage stage: PipelineStageKey = .model, action: PipelineStage.MutationAction = .replaceExisting,
        onInputTypeMismatch: ResponseContentTransformer<I, O>.InputTypeMismatchAction = .error,
        transformErrors: Bool = false, description: String? = nil,
        contentTransform: @escaping ResponseContentTransformer<I, O>.Processor
    ) {
        let transformer = ResponseContentTransformer(
            onInputTypeMismatch: onInputTypeMismatch, transformErrors: transformErrors, processor: contentTransform)
        configure(
            pattern, requestMethods: requestMethods ?? [.get, .put, .post, .patch, .delete],
            description: description ?? "\(pattern.configurationPatternDescription): \(I.self) → \(O.self)"
        ) { configuration in
            if case .replaceExisting = action { configuration.pipeline[stage].removeTransformers() }
            configuration.pipeline[stage].add(transformer)
        }
    }

    /// Makes all configuration closures run again before the next use of their results, because what they depend on has
    /// changed.
    ///
    /// Requests that are running are not affected.
    public final func invalidateConfiguration() {
        SiestaLog.log(.configuration, ["Configuration invalidated"])
        MainQueue.check("Service.invalidateConfiguration()")
        context.invalidateConfiguration()
    }

    private func addRule(
        _ pattern: ConfigurationRules.Rule.Pattern, _ methods: [RequestMethod]?, _ description: String,
        _ configurer: @escaping (inout Configuration) -> Void
    ) {
        let methods = Set(methods ?? RequestMethod.allCases)
        MainQueue.check("Service.configure()")
        context.add(
            ConfigurationRules.Rule(
                pattern: pattern, methods: methods, description: description, configurer: configurer))
    }

    /// Wildcards match the text of the address; only other patterns make resources parse their URLs.
    private func compile(_ pattern: any ConfigurationPatternConvertible) -> ConfigurationRules.Rule.Pattern {
        guard let wildcard = pattern as? String else { return .predicate(pattern.configurationPattern(for: self)) }
        return .wildcard(URLWildcard(wildcard, relativeTo: baseURL?.absoluteString))
    }
}
