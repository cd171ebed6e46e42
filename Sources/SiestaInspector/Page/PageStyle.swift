extension InspectorPage {
    /// The style: for light and dark, and from 320 px on.
    static let style = #"""
        :root { --back: #fff; --panel: #f4f5f7; --text: #1b1d21; --soft: #5b616b; --line: #d9dce1; --accent: #0b57d0;
          --select: #dce8fd; --good: #146c2e; --warn: #8a5000; --bad: #b3261e; --row: 34px; }
        @media (prefers-color-scheme: dark) {
          :root { --back: #16181c; --panel: #1f2227; --text: #e6e8eb; --soft: #a0a7b2; --line: #353a42; --accent: #8ab4f8;
            --select: #24344f; --good: #7fd693; --warn: #f3bd6b; --bad: #ff9b94; }
        }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html, body { height: 100%; margin: 0; }
        body { display: flex; flex-direction: column; background: var(--back); color: var(--text);
          font: 14px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
        header { display: flex; align-items: baseline; gap: 12px; padding: 8px 12px 4px; }
        h1 { font-size: 16px; margin: 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; flex: 1; }
        h1 span { font-weight: normal; color: var(--soft); }
        h2 { font-size: 14px; margin: 0; flex: 1; overflow-wrap: anywhere; }
        #status { margin: 0; color: var(--soft); white-space: nowrap; }
        #status.live { color: var(--good); }
        #status.lost { color: var(--bad); }
        #tabs { display: flex; gap: 2px; padding: 0 8px; border-bottom: 1px solid var(--line); overflow-x: auto;
          scrollbar-width: none; flex: none; }
        [role=tab] { border: 0; background: none; color: var(--soft); font: inherit; padding: 8px 10px; cursor: pointer;
          border-bottom: 2px solid transparent; white-space: nowrap; }
        [role=tab] span { color: var(--soft); font-size: 12px; }
        [role=tab][aria-selected=true] { color: var(--text); border-color: var(--accent); font-weight: 600; }
        #tools { display: flex; gap: 8px; padding: 8px 12px; flex: none; }
        .grow { flex: 1; min-width: 0; }
        .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        input, select, textarea, button, a { font: inherit; }
        input, select, textarea { color: var(--text); background: var(--back); border: 1px solid var(--line);
          border-radius: 6px; padding: 5px 8px; }
        #filter { width: 100%; }
        .bar button, .bar a, form > button, td button { color: var(--accent); background: var(--back);
          border: 1px solid var(--line); border-radius: 6px; padding: 5px 10px; cursor: pointer; text-decoration: none; }
        button[aria-pressed=true] { background: var(--bad) !important; color: var(--back) !important; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
        main { flex: 1; display: flex; min-height: 0; }
        #view { flex: 1; min-width: 0; display: flex; flex-direction: column; }
        #list { flex: 1; overflow: auto; position: relative; contain: strict; }
        #space { width: 1px; }
        .row { position: absolute; left: 0; right: 0; top: 0; height: var(--row); display: grid; gap: 0 10px;
          align-items: center; padding: 0 12px; border-bottom: 1px solid var(--line); cursor: default; }
        #head { display: grid; gap: 0 10px; padding: 4px 12px; color: var(--soft); font-size: 12px;
          border-bottom: 1px solid var(--line); flex: none; }
        .row > *, #head > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
        .row[aria-selected=true] { background: var(--select); }
        .resources { grid-template-columns: 84px 1fr 64px 72px 64px; }
        .requests { grid-template-columns: 56px 52px minmax(120px, 2fr) 70px 64px minmax(120px, 3fr); }
        .caches { grid-template-columns: 90px 1fr 220px 64px; }
        .origins { grid-template-columns: 1fr 280px 130px 70px; }
        .log { grid-template-columns: 76px 96px 1fr; }
        .number { text-align: right; font-variant-numeric: tabular-nums; }
        .soft { color: var(--soft); }
        .fresh, .success, .notModified { color: var(--good); }
        .stale, .invalidated, .loading, .running { color: var(--warn); }
        .error, .failure { color: var(--bad); }
        .fall { position: relative; height: 14px; background: var(--panel); border-radius: 3px; }
        .fall i { position: absolute; top: 2px; bottom: 2px; min-width: 1px; border-radius: 1px; background: var(--soft); }
        .fall .lookup { background: #00897b; } .fall .connect { background: #ef6c00; } .fall .tls { background: #8e24aa; }
        .fall .first { background: #43a047; } .fall .body { background: #1e88e5; }
        #nothing { padding: 24px; color: var(--soft); text-align: center; }
        #details { width: min(440px, 45%); border-left: 1px solid var(--line); background: var(--panel); overflow: auto;
          padding: 10px 12px; }
        .bar { display: flex; gap: 8px; align-items: center; flex-wrap: wrap; margin-bottom: 10px; }
        #close { padding: 2px 10px; }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.5 ui-monospace, Menlo, Consolas, monospace;
          margin: 0 0 10px; }
        h3 { font-size: 12px; color: var(--soft); margin: 12px 0 4px; }
        textarea { width: 100%; font: 12px/1.5 ui-monospace, Menlo, Consolas, monospace; margin: 4px 0 8px; }
        #network { flex: 1; overflow: auto; padding: 12px; }
        #switches { display: grid; gap: 12px; max-width: 420px; margin-bottom: 16px; }
        #switches label { display: flex; gap: 8px; align-items: center; }
        #switches label input[type=number], #switches label select { margin-left: auto; width: 140px; }
        #alert { position: fixed; left: 12px; right: 12px; bottom: 12px; margin: 0; padding: 10px 14px; border-radius: 8px;
          background: var(--bad); color: var(--back); }
        #alert:empty { display: none; }
        @media (max-width: 640px) {
          :root { --row: 52px; }
          #head { display: none; }
          .resources { grid-template-columns: 84px 1fr auto; }
          .requests { grid-template-columns: 52px 44px 1fr auto; }
          .row { grid-template-rows: 24px 20px; align-content: center; }
          .row .main { grid-column: 1 / -1; grid-row: 2; }
          .row .extra { display: none; }
          .caches, .origins { grid-template-columns: 1fr auto; }
          .log { grid-template-columns: auto 1fr; }
          #tools { flex-wrap: wrap; padding: 6px 8px; }
          .grow { flex-basis: 100%; }
          #tools label:not(.grow) { flex: 1; }
          #tools select { width: 100%; }
          .row { padding: 0 8px; }
          #details { position: fixed; inset: 0; width: auto; border: 0; z-index: 2; }
        }
        @media (forced-colors: active) { .fall i { forced-color-adjust: none; } }
        """#
}
