extension InspectorPage {
    /// The tabs, the keys, and the start.
    static let start = #"""
        const tabs = [...document.querySelectorAll('[role=tab]')];

        function show(name) {
          tab = name;
          selected = null;
          for (const button of tabs) {
            const isShown = button.id === 'tab-' + name;
            button.setAttribute('aria-selected', isShown ? 'true' : 'false');
            button.tabIndex = isShown ? 0 : -1;
          }
          $('network').hidden = name !== 'network';
          $('view').hidden = $('tools').hidden = name === 'network';
          $('state-label').hidden = $('sort-label').hidden = name !== 'resources';
          $('view').setAttribute('aria-labelledby', 'tab-' + name);
          if (opened) { opened = null; $('details').hidden = true; }
          if (name === 'network') return;
          $('head').className = name;
          $('head').replaceChildren(...views[name].heads.map(text => element('span', '', text)));
          box.scrollTop = 0;
          refilter();
        }

        for (const button of tabs) {
          button.onclick = () => show(button.id.slice(4));
          button.onkeydown = event => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (!step) return;
            const next = tabs[(tabs.indexOf(button) + step + tabs.length) % tabs.length];
            next.focus();
            next.click();
          };
        }

        $('tools').onsubmit = event => event.preventDefault();
        $('filter').oninput = $('state').onchange = $('sort').onchange = () => { box.scrollTop = 0; refilter(); };
        $('filter').onkeydown = event => {
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            box.focus();
            select(visible.findIndex(row => row.id === selected) < 0 ? 0 : visible.findIndex(row => row.id === selected));
          }
        };

        box.onkeydown = event => {
          const index = visible.findIndex(row => row.id === selected), page = Math.max(1, Math.floor(box.clientHeight / height) - 1);
          const target = { ArrowDown: index + 1, ArrowUp: index - 1, PageDown: index + page, PageUp: index - page,
            Home: 0, End: visible.length - 1 }[event.key];
          if (target !== undefined) {
            event.preventDefault();
            select(target);
            if (opened) openDetails();
          } else if (event.key === 'Enter') {
            event.preventDefault();
            openDetails().then(() => $('details').focus());
          }
        };

        document.addEventListener('keydown', event => {
          const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
          if (event.key === '/' && !isTyping) {
            event.preventDefault();
            if (tab === 'network') show('resources');
            $('filter').focus();
          } else if (event.key === 'Escape') {
            if (opened) closeDetails();
            else if ($('filter').value) { $('filter').value = ''; refilter(); }
            else box.focus();
          }
        });

        show('resources');
        setInterval(frame, 100);
        setInterval(() => { isDirty = true; }, 1000);
        connect();
        """#
}
