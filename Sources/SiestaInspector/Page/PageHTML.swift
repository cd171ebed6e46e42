extension InspectorPage {
    /// The document. It contains the words that are replaced by the nonce, the style and the script.
    static let html = #"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Siesta inspector</title>
        <link rel="icon" href="data:,">
        <style nonce="NONCE">STYLE</style>
        </head>
        <body>
        <header>
          <h1>Siesta <span id="service"></span></h1>
          <p id="status" role="status">Connecting …</p>
        </header>
        <div id="tabs" role="tablist" aria-label="Views">
          <button role="tab" id="tab-resources" aria-controls="view" aria-selected="true">Resources <span></span></button>
          <button role="tab" id="tab-requests" aria-controls="view" aria-selected="false" tabindex="-1">Requests <span></span></button>
          <button role="tab" id="tab-caches" aria-controls="view" aria-selected="false" tabindex="-1">Caches <span></span></button>
          <button role="tab" id="tab-origins" aria-controls="view" aria-selected="false" tabindex="-1">Origins <span></span></button>
          <button role="tab" id="tab-log" aria-controls="view" aria-selected="false" tabindex="-1">Log <span></span></button>
          <button role="tab" id="tab-network" aria-controls="network" aria-selected="false" tabindex="-1">Network</button>
        </div>
        <form id="tools" role="search">
          <label class="grow"><span class="hidden">Filter</span>
            <input id="filter" type="search" placeholder="Filter  ( / )" autocomplete="off" spellcheck="false"></label>
          <label id="state-label"><span class="hidden">State</span>
            <select id="state">
              <option value="">All states</option><option>fresh</option><option>stale</option>
              <option>invalidated</option><option>loading</option><option>error</option><option>empty</option>
            </select></label>
          <label id="sort-label"><span class="hidden">Sort by</span>
            <select id="sort">
              <option value="url">By URL</option><option value="state">By state</option>
              <option value="time">By age</option><option value="observers">By observers</option>
              <option value="size">By size</option>
            </select></label>
        </form>
        <main>
          <div id="view" role="tabpanel" aria-labelledby="tab-resources">
            <div id="head" aria-hidden="true"></div>
            <div id="list" role="listbox" tabindex="0" aria-label="Resources"><div id="space"></div></div>
            <p id="nothing" hidden>Nothing here yet.</p>
          </div>
          <section id="details" aria-label="Details" hidden tabindex="-1">
            <div class="bar"><h2 id="details-title"></h2><button id="close" aria-label="Close details">×</button></div>
            <div id="actions" class="bar" hidden>
              <button data-action="load">Load</button>
              <button data-action="invalidate">Invalidate</button>
              <button data-action="wipe">Wipe</button>
              <button data-action="wipe" data-caches="1">Wipe with caches</button>
            </div>
            <div id="details-body"></div>
            <form id="override" hidden>
              <label for="json">Content as JSON</label>
              <textarea id="json" rows="10" spellcheck="false"></textarea>
              <button>Override content</button>
            </form>
          </section>
          <section id="network" role="tabpanel" aria-labelledby="tab-network" hidden>
            <p id="no-network">Pass <code>InspectorNetwork()</code> as the networking of the service, and permit
              <code>.full</code>, to change or record its network.</p>
            <form id="switches" hidden>
              <label><input type="checkbox" id="offline"> Offline: all requests fail</label>
              <label>Delay in seconds <input type="number" id="delay" min="0" max="60" step="0.1" value="0"></label>
              <label>Failures in percent <input type="number" id="rate" min="0" max="100" value="0"></label>
              <label>Kind of failures <select id="kind"><option value="503">Status 503</option>
                <option value="500">Status 500</option><option value="429">Status 429</option>
                <option value="401">Status 401</option><option value="0">Lost connection</option></select></label>
            </form>
            <div id="recording" class="bar" hidden>
              <button id="record" aria-pressed="false">Record HAR</button>
              <a id="save" href="har" download="siesta.har">Save HAR</a>
            </div>
          </section>
        </main>
        <p id="alert" role="alert"></p>
        <script nonce="NONCE">SCRIPT</script>
        </body>
        </html>
        """#
}
