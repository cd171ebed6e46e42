extension InspectorPage {
    /// The parts of the script, in order.
    static let scripts = ["'use strict';\n", store, list, views, details, start]

    /// The rows of the page, and the stream that keeps them up to date.
    private static let store = #"""
        const $ = id => document.getElementById(id);
        const token = location.pathname.split('/')[1];
        const rows = { resources: new Map(), requests: new Map(), caches: new Map(), origins: new Map(), log: new Map() };
        const info = { full: false, network: false, recording: false, switches: null, base: '' };
        const limits = { requests: 500, caches: 2000, log: 500 };
        let clockOffset = 0, stream = null, tab = 'resources', isDirty = true;

        function now() { return Date.now() / 1000 + clockOffset; }

        function say(text, kind) {
          $('status').textContent = text;
          $('status').className = kind || '';
        }

        function alertUser(text) {
          $('alert').textContent = text;
          clearTimeout(alertUser.timer);
          alertUser.timer = setTimeout(() => { $('alert').textContent = ''; }, 6000);
        }

        function merge(change) {
          if (change.now) clockOffset = change.now - Date.now() / 1000;
          for (const kind of Object.keys(rows)) {
            for (const row of change[kind] || []) rows[kind].set(row.id, row);
            while (limits[kind] && rows[kind].size > limits[kind]) rows[kind].delete(rows[kind].keys().next().value);
          }
          for (const id of change.removed || []) rows.resources.delete(id);
          isDirty = true;
        }

        // The changes that arrive while the whole state is read. They may be newer than the state.
        let early = null;

        async function readState() {
          const mine = early = [];
          const response = await fetch('state');
          if (!response.ok) throw new Error('status ' + response.status);
          const state = await response.json();
          for (const map of Object.values(rows)) map.clear();
          for (const name of ['full', 'network', 'recording']) info[name] = state[name] === true;
          info.switches = state.switches || null;
          info.base = state.base || '';
          $('service').textContent = state.service + (state.base ? ' · ' + state.base : '');
          merge(state);
          for (const [id, change] of mine) if (id > state.lastEvent) merge(change);
          if (early === mine) early = null;
          showSwitches();
          return state.lastEvent;
        }

        function readAgain() { readState().catch(() => { stream.close(); connect(); }); }

        async function connect() {
          try {
            const last = await readState();
            stream = new EventSource('events?after=' + last);
            stream.onopen = () => say('Live', 'live');
            stream.onmessage = event => {
              const change = JSON.parse(event.data);
              if (change.resync) return readAgain();
              if (early) early.push([Number(event.lastEventId), change]);
              merge(change);
            };
            stream.addEventListener('resync', readAgain);
            stream.onerror = () => {
              const isOver = stream.readyState === EventSource.CLOSED;
              say(isOver ? 'The inspector has stopped' : 'Reconnecting …', 'lost');
              if (isOver) setTimeout(connect, 3000);
            };
          } catch (error) {
            say('The inspector does not answer', 'lost');
            setTimeout(connect, 3000);
          }
        }

        async function act(name, body) {
          try {
            const response = await fetch('actions/' + name, {
              method: 'POST', headers: { 'X-Siesta-Inspector': token, 'Content-Type': 'application/json' },
              body: JSON.stringify(body) });
            if (!response.ok) alertUser((await response.json().catch(() => ({}))).error || 'Status ' + response.status);
            return response.ok;
          } catch (error) {
            alertUser('The inspector does not answer.');
            return false;
          }
        }

        """#
}
