extension InspectorPage {
    /// The details of a row, and the actions.
    static let details = #"""
        let opened = null;

        function section(title, text) {
          $('details-body').append(element('h3', '', title), element('pre', '', text));
        }

        async function openDetails() {
          const row = rows[tab] && rows[tab].get(selected);
          if (!row) return;
          opened = { tab, id: row.id, resource: tab === 'resources' ? row.id : row.resource };
          $('details').hidden = false;
          $('details-title').textContent = row.url || row.id;
          $('details-body').replaceChildren();
          $('override').hidden = true;
          $('actions').hidden = !info.full || !opened.resource;
          if (tab === 'log') section(row.category, row.message);
          if (tab === 'requests') showRequest(row);
          if (tab === 'origins') showOrigin(row);
          if (opened.resource) await explain(opened);
        }

        async function explain(target) {
          const response = await fetch('resource?id=' + target.resource);
          const found = await response.json().catch(() => ({}));
          if (opened !== target) return;
          section('Explanation', found.explanation || found.error || 'Nothing is known.');
          $('details-body').lastChild.id = 'explanation';
          $('details-body').lastChild.setAttribute('aria-live', 'polite');
          const row = rows.resources.get(target.resource);
          if (row && row.error) section('Error', row.error);
          if (found.contentType) section('Content', 'of type ' + found.contentType);
          if (found.content === undefined || target.tab !== 'resources') return;
          $('json').value = JSON.stringify(found.content, null, 2);
          $('override').hidden = false;
        }

        function showRequest(row) {
          const lines = [row.method + (row.load ? ', a load' : '') + (row.reason ? ', because of ' + row.reason : ''),
            'attempts: ' + row.attempts, 'outcome: ' + (row.outcome || 'running') + (row.status ? ', status ' + row.status : '')];
          if (row.failure) lines.push(row.failure);
          if (row.wait) lines.push('waits: ' + row.wait);
          if (row.duration !== undefined) lines.push('duration: ' + milliseconds(row.duration));
          section('Request', lines.join('\n'));
          const m = row.metrics;
          if (m) {
            const times = [['name lookup', m.lookup], ['connected', m.connect], ['TLS', m.tls], ['first byte', m.first],
              ['end', m.total]].filter(part => part[1] !== undefined).map(part => part[0] + ': ' + milliseconds(part[1]));
            section('Times since the start', times.concat([size(m.sent) + ' sent, ' + size(m.received) + ' received',
              'HTTP ' + (m.version || 'version unknown') + (m.reused ? ', reused connection' : '') + ', ' + m.redirects + ' redirects']).join('\n'));
          }
          if (row.transformations) {
            section('Pipeline', row.transformations.map(step => step.stage + ': ' + step.name + ', '
              + milliseconds(step.seconds) + (step.failed ? ', failed' : '')).join('\n'));
          }
        }

        function showOrigin(row) {
          section('Origin', [row.requests + ' requests, ' + row.running + ' running', row.failures + ' failures, ' + row.retries
            + ' retries, ' + row.waits + ' waits', row.status ? 'last status ' + row.status : '', row.failure || '']
            .filter(line => line).join('\n'));
          if (!info.full || !info.switches) return;
          const button = element('button', '', failing(row.id) ? 'Let requests pass' : 'Fail all requests');
          button.id = 'fail-origin';
          button.onclick = async () => {
            const others = info.switches.origins.filter(origin => origin !== row.id);
            info.switches.origins = failing(row.id) ? others : others.concat([row.id]);
            await act('switches', info.switches);
            isDirty = true;
            openDetails();
          };
          const bar = element('div', 'bar');
          bar.append(button);
          $('details-body').append(bar);
        }

        function closeDetails() {
          opened = null;
          $('details').hidden = true;
          box.focus({ preventScroll: true });
        }

        $('close').onclick = closeDetails;
        for (const button of document.querySelectorAll('[data-action]')) {
          button.onclick = async () => {
            if (!opened) return;
            await act(button.dataset.action, { id: opened.resource, caches: button.dataset.caches === '1' });
            setTimeout(() => { if (opened) openDetails(); }, 300);
          };
        }
        $('override').onsubmit = async event => {
          event.preventDefault();
          let json;
          try { json = JSON.parse($('json').value); } catch (error) { return alertUser(error.message); }
          if (await act('override', { id: opened.resource, json })) openDetails();
        };

        function showSwitches() {
          const can = info.full && info.network;
          $('no-network').hidden = can;
          $('switches').hidden = $('recording').hidden = !can;
          if (!can || !info.switches) return;
          $('offline').checked = info.switches.offline;
          $('delay').value = info.switches.delay;
          $('rate').value = Math.round(info.switches.rate * 100);
          $('kind').value = String(info.switches.status);
          showRecording();
        }

        function showRecording() {
          $('record').setAttribute('aria-pressed', info.recording ? 'true' : 'false');
          $('record').textContent = info.recording ? 'Stop recording' : 'Record HAR';
        }

        $('switches').onsubmit = event => event.preventDefault();
        $('switches').onchange = () => {
          Object.assign(info.switches, { offline: $('offline').checked, delay: Number($('delay').value) || 0,
            rate: (Number($('rate').value) || 0) / 100, status: Number($('kind').value) });
          act('switches', info.switches);
        };
        $('record').onclick = async () => {
          if (await act('record', { on: !info.recording })) info.recording = !info.recording;
          showRecording();
        };

        """#
}
