extension InspectorPage {
    /// The rows of each view. All texts are set as text, never as HTML.
    static let views = #"""
        let window0 = 0, window1 = 1;

        function age(time) {
          if (!time) return '–';
          const seconds = Math.max(0, now() - time);
          if (seconds < 120) return Math.floor(seconds) + ' s';
          if (seconds < 7200) return Math.floor(seconds / 60) + ' min';
          if (seconds < 172800) return Math.floor(seconds / 3600) + ' h';
          return Math.floor(seconds / 86400) + ' d';
        }

        function size(bytes) {
          if (bytes === undefined || bytes === null) return '–';
          if (bytes < 1000) return bytes + ' B';
          return bytes < 1e6 ? (bytes / 1000).toFixed(1) + ' kB' : (bytes / 1e6).toFixed(1) + ' MB';
        }

        function milliseconds(seconds) {
          if (seconds === undefined) return '–';
          return seconds < 10 ? Math.round(seconds * 1000) + ' ms' : seconds.toFixed(1) + ' s';
        }

        function short(url) { return info.base && url.startsWith(info.base) ? '/' + url.slice(info.base.length) : url; }

        function stateOf(row) {
          return row.state === 'fresh' && row.until && row.until < now() ? 'stale' : row.state;
        }

        function measure() {
          const recent = visible.slice(0, 60);
          window0 = Math.min(...recent.map(row => row.start), now() - 0.001);
          window1 = Math.max(...recent.map(row => row.start + (row.duration || 0)), window0 + 0.001);
        }

        function waterfall(row) {
          const bar = element('span', 'fall extra'), span = window1 - window0;
          const segment = (name, from, to) => {
            const part = element('i', name);
            part.style.left = Math.max(0, (from - window0) / span * 100) + '%';
            part.style.width = Math.max(0, (to - from) / span * 100) + '%';
            bar.append(part);
          };
          const end = row.start + (row.duration === undefined ? now() - row.start : row.duration), m = row.metrics;
          if (!m) { segment('', row.start, Math.min(end, window1)); return bar; }
          let at = Math.max(row.start, end - m.total);
          const zero = at;
          if (at > row.start) segment('', row.start, at);
          for (const [name, time] of [['lookup', m.lookup], ['connect', m.connect], ['tls', m.tls], ['first', m.first],
              ['body', m.total]]) {
            if (time === undefined || zero + time < at) continue;
            segment(name, at, zero + time);
            at = zero + time;
          }
          return bar;
        }

        const byURL = (a, b) => a.url < b.url ? -1 : a.url > b.url ? 1 : 0;
        const orders = {
          url: byURL, state: (a, b) => stateOf(a).localeCompare(stateOf(b)) || byURL(a, b),
          time: (a, b) => (b.time || 0) - (a.time || 0) || byURL(a, b),
          observers: (a, b) => b.observers - a.observers || byURL(a, b),
          size: (a, b) => (b.size || 0) - (a.size || 0) || byURL(a, b) };

        const views = {
          resources: { name: 'Resources', heads: ['State', 'URL', 'Age', 'Observers', 'Size'],
            text: row => row.url + ' ' + stateOf(row) + ' ' + (row.type || '') + ' ' + (row.error || '') + ' ' + (row.updates || ''),
            order: list => list.sort(orders[$('sort').value]),
            cells: row => [element('span', stateOf(row), stateOf(row)), element('span', 'main', short(row.url) + (row.updates ? ' · ' + row.updates : '')),
              element('span', 'number soft', age(row.time)), element('span', 'number soft extra', row.observers || ''),
              element('span', 'number soft extra', size(row.size))] },
          requests: { name: 'Requests', heads: ['Method', 'Status', 'URL', 'Time', 'Size', 'Waterfall'],
            text: row => row.method + ' ' + (row.status || '') + ' ' + row.url + ' ' + (row.outcome || 'running'),
            order: list => list.sort((a, b) => b.id - a.id),
            cells: row => [element('span', '', row.method),
              element('span', row.outcome || 'running', row.status || (row.outcome === undefined ? '…' : row.outcome === 'failure' ? 'failed' : row.outcome)),
              element('span', 'main', short(row.url)),
              element('span', 'number soft', milliseconds(row.duration)),
              element('span', 'number soft extra', row.metrics ? size(row.metrics.received) : '–'), waterfall(row)] },
          caches: { name: 'Cache entries', heads: ['Stage', 'URL', 'Uses', 'Age'],
            text: row => row.stage + ' ' + row.url + ' ' + row.last, order: list => list.sort((a, b) => b.time - a.time),
            cells: row => [element('span', '', row.stage), element('span', 'main', short(row.url)),
              element('span', 'soft extra', row.hits + ' hits, ' + row.misses + ' misses, ' + row.writes + ' writes'),
              element('span', 'number soft', age(row.time))] },
          origins: { name: 'Origins', heads: ['Origin', 'Requests', 'Limits', ''],
            text: row => row.id, order: list => list.sort((a, b) => a.id < b.id ? -1 : 1),
            cells: row => [element('span', 'main', row.id),
              element('span', 'soft', row.requests + ' requests, ' + row.failures + ' failed, ' + row.retries + ' retries'),
              element('span', row.closed || row.paused ? 'error extra' : 'soft extra', row.closed
                ? 'closed for ' + Math.ceil(row.closed) + ' s' : row.paused ? 'paused for ' + Math.ceil(row.paused) + ' s' : 'open'),
              element('span', failing(row.id) ? 'error extra' : 'soft extra', failing(row.id) ? 'failing' : '')] },
          log: { name: 'Log', heads: ['Time', 'Category', 'Message'], text: row => row.category + ' ' + row.message,
            order: list => list.sort((a, b) => b.id - a.id),
            cells: row => [element('span', 'soft', new Date(row.time * 1000).toLocaleTimeString()),
              element('span', 'soft', row.category), element('span', 'main', row.message)] } };

        function failing(origin) { return info.switches !== null && info.switches.origins.includes(origin); }

        """#
}
