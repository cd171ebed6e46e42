public import Foundation

extension Service {
    /// Adds options for the resources that match `pattern`.
    ///
    /// Rules apply in the order in which they were added, so that a later rule can change the options of an earlier
    /// rule.
    ///
    /// `configurer`, and the closures that you pass as `whenURLMatches`, may call any method. If such a closure reads
    /// the configuration that is being computed, it gets the default options. Loads that it starts are also sent with
    /// the default options. Rules that it adds apply from the next use of the configuration.
    ///
    /// - Parameters:
    ///   - pattern: A wildcard such as `/users/*`, an `NSRegularExpression`, or a resource; see
    ///     ``ConfigurationPatternConvertible``.
    ///   - requestMethods: The methods to which the options apply; nil for all.
    ///   - description: The name of the rule in logs.
    ///   - configurer: A closure that changes the options. The closure runs later, on the main thread, any number of
    ///     times. If the closure depends on values of the app, call ``invalidateConfiguration()`` whenever these values
    ///     change, so that the closure runs again.
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

    /// Adds options for the resources whose URL passes a test. The default test accepts all resources.
    public final func configure(
        whenURLMatches: @escaping (URL) -> Bool = { _ in true }, requestMethods: [RequestMethod]? = nil,
        description: String? = nil, configurer: @escaping (inout Configuration) -> Void
    ) {
        addRule(.predicate(whenURLMatches), requestMethods, description ?? "custom", configurer)
    }

    /// Adds a transformer from content of type `I` to content of type `O` for the resources that match `pattern`.
    ///
    ///     let service = Service(baseURL: "https://api.example.com", standardTransformers: [.text, .image])  // not .json
    ///     service.configureTransformer("/users/*") { try JSONDecoder().decode(User.self, from: $0.content) }
    ///
    /// The transformer in this example expects `Data`. It would fail in a service with the standard JSON transformer,
    /// which parses bodies in an earlier stage. To decode JSON in a service with all standard transformers, use
    /// ``decode(_:as:requestMethods:decoder:)``.
    ///
    /// - Parameters:
    ///   - pattern: The pattern that selects the resources; see
    ///     ``configure(_:requestMethods:description:configurer:)``.
    ///   - requestMethods: The methods whose responses are converted; nil for GET, PUT, POST, PATCH and DELETE.
    ///   - stage: The stage that gets the transformer. The default is `.model`.
    ///   - action: The effect on the transformers that the stage already has. The default is to replace them.
    ///   - onInputTypeMismatch: The treatment of content whose type is not `I`. The default is to fail.
    ///   - transformErrors: True to also convert the entities of errors. The default is false.
    ///   - description: The name of the rule in logs.
    ///   - contentTransform: A closure that converts the content. It runs off the main thread, and may throw an error;
    ///     see ``ResponseContentTransformer``.
    #if Swift5Clients
    @preconcurrency
    #endif
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

    /// Discards the results of all configuration closures. The closures run again when a configuration is next needed.
    /// Call this method whenever a value on which a closure depends has changed.
    ///
    /// Running requests keep their configuration.
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

    /// Compiles a pattern. A wildcard is compared with the text of the address. Other patterns need a `URL`, which each
    /// resource then has to parse.
    private func compile(_ pattern: any ConfigurationPatternConvertible) -> ConfigurationRules.Rule.Pattern {
        guard let wildcard = pattern as? String else { return .predicate(pattern.configurationPattern(for: self)) }
        return .wildcard(URLWildcard(wildcard, relativeTo: baseURL?.absoluteString))
    }
}
