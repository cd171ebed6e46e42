extension InspectorPage {
    /// The list: it has elements only for the rows that are visible, so that thousands of rows scroll smoothly.
    static let list = #"""
        let visible = [], selected = null, height = 34;
        const elements = [];
        const box = $('list');

        function element(kind, className, text) {
          const made = document.createElement(kind);
          if (className) made.className = className;
          if (text !== undefined) made.textContent = text;
          return made;
        }

        function place() {
          if (tab === 'network') return;
          height = parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || 34;
          $('space').style.height = visible.length * height + 'px';
          const first = Math.max(0, Math.floor(box.scrollTop / height) - 4);
          const count = Math.min(visible.length - first, Math.ceil(box.clientHeight / height) + 8);
          while (elements.length < count) {
            const made = element('div', 'row');
            made.setAttribute('role', 'option');
            made.onclick = () => { select(Number(made.dataset.index)); openDetails(); box.focus({ preventScroll: true }); };
            box.append(made);
            elements.push(made);
          }
          for (let index = 0; index < elements.length; index++) {
            const made = elements[index];
            made.hidden = index >= count;
            if (made.hidden) { made.id = ''; continue; }
            fill(made, first + index);
          }
          const active = visible.findIndex(row => row.id === selected);
          if (active >= first && active < first + count) box.setAttribute('aria-activedescendant', 'row-' + active);
          else box.removeAttribute('aria-activedescendant');
        }

        function fill(made, index) {
          const row = visible[index];
          made.id = 'row-' + index;
          made.dataset.index = index;
          made.className = 'row ' + tab;
          made.style.transform = 'translateY(' + index * height + 'px)';
          made.setAttribute('aria-setsize', visible.length);
          made.setAttribute('aria-posinset', index + 1);
          made.setAttribute('aria-selected', row.id === selected ? 'true' : 'false');
          made.replaceChildren(...views[tab].cells(row));
        }

        function select(index) {
          if (!visible.length) return;
          const target = Math.min(Math.max(0, index), visible.length - 1);
          selected = visible[target].id;
          const top = target * height;
          if (top < box.scrollTop) box.scrollTop = top;
          else if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height - box.clientHeight;
          place();
        }

        function refilter() {
          const words = $('filter').value.toLowerCase().split(/\s+/).filter(word => word);
          const view = views[tab], state = tab === 'resources' ? $('state').value : '';
          visible = [...rows[tab].values()].filter(row => {
            if (state && stateOf(row) !== state) return false;
            const text = words.length ? view.text(row).toLowerCase() : '';
            return words.every(word => text.includes(word));
          });
          view.order(visible);
          if (tab === 'requests') measure();
          $('nothing').hidden = visible.length > 0;
          $('nothing').textContent = rows[tab].size ? 'Nothing matches the filter.' : 'Nothing here yet.';
          box.setAttribute('aria-label', view.name + ', ' + visible.length + ' rows');
          place();
          if (visible.length && !performance.getEntriesByName('rows').length) performance.mark('rows');
        }

        box.addEventListener('scroll', () => requestAnimationFrame(place), { passive: true });
        new ResizeObserver(() => place()).observe(box);

        function frame() {
          if (isDirty && tab !== 'network') {
            isDirty = false;
            refilter();
            for (const kind of Object.keys(rows)) {
              $('tab-' + kind).querySelector('span').textContent = rows[kind].size || '';
            }
          }
        }

        """#
}
