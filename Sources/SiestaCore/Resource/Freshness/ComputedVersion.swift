/// The version of computed data: the data with the edits of changes that the server has carried out without sending the
/// content. Another client may have changed the resource as well. Therefore the validators of this version are conditions
/// of later changes, and never of loads: a 304 would confirm content that the server does not have. Persistent caches keep the
/// result of a change in the same form if it is stale: if it is doubtful, because a load or another change has overlapped it,
/// or if freshness follows HTTP, because the response to a write has no lifetime.
///
/// In memory, the source of computed data is ``Resource/DataSource/local``. Persistent caches have its validators in fields
/// of their own, because the cache of an app may return nothing but the content and the fields.
extension Entity {
    /// True for computed data from a persistent cache.
    var isStoredAsComputed: Bool { headerFields.contains(mark) }

    /// The form of computed data for persistent caches.
    package var storedAsComputed: Entity {
        var (entity, fields) = (self, headers)
        for name in Validator.fields { fields[prefix + name] = fields.removeValue(forKey: name) }
        fields[mark] = "1"
        entity.headers = fields
        return entity
    }

    /// The computed data of which ``storedAsComputed`` was made.
    var restoredAsComputed: Entity {
        var (entity, fields) = (self, headers)
        for name in Validator.fields { fields[name] = fields.removeValue(forKey: prefix + name) }
        fields[mark] = nil
        entity.headers = fields
        return entity
    }
}

private let mark = "siesta-computed"
private let prefix = "siesta-computed-"
