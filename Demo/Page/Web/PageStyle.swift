/// How the page looks: quiet, in light and dark, on a wide screen and on a narrow one.
enum PageStyle {
  static let text = #"""
    :root {
      --line: 2.25rem;
      --ground: #f6f6f4; --panel: #ffffff; --ink: #1c1f23; --soft: #5b626b; --hair: #e3e4e3;
      --accent: #2757b5; --a: #3f6fc4; --b: #a9c1e8; --c: #b4690e;
      --insert: #18794e; --delete: #b4322a; --move: #2757b5; --update: #8a5a00;
      --insert-tint: #e4f4ea; --move-tint: #e6edfa; --update-tint: #fbf0d9;
      color-scheme: light dark;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #131518; --panel: #1a1d21; --ink: #e7e9ec; --soft: #9aa2ac; --hair: #2b2f35;
        --accent: #8fb2f5; --a: #7aa2ee; --b: #37517f; --c: #e3a44f;
        --insert: #5cc98d; --delete: #f0857b; --move: #8fb2f5; --update: #e0b04c;
        --insert-tint: #17301f; --move-tint: #1b2942; --update-tint: #352a12;
      }
    }
    * { box-sizing: border-box; margin: 0; }
    [hidden], .unseen:empty { display: none !important; }
    html { font: 87.5%/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
    body {
      background: var(--ground); color: var(--ink); height: 100vh; height: 100dvh;
      display: grid; grid-template-rows: auto minmax(0, 1fr) auto; gap: 1rem; padding: 1.25rem 1.5rem 0;
    }
    .figures { font-variant-numeric: tabular-nums; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }

    .masthead { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.15rem 1rem; }
    h1 { font-size: 1.3rem; font-weight: 650; letter-spacing: -0.01em; overflow-wrap: anywhere; }
    #facts, .panel-head p, .note { color: var(--soft); }
    h1, #facts { min-width: 0; }

    main {
      display: grid; gap: 1rem; min-height: 0;
      grid-template: auto minmax(0, 1fr) / minmax(0, 1.15fr) minmax(0, 1fr);
      grid-template-areas: "list charts" "list log";
    }
    .panel {
      background: var(--panel); border: 1px solid var(--hair); border-radius: 10px;
      display: flex; flex-direction: column; min-height: 0; overflow: hidden;
    }
    .list { grid-area: list; }
    .charts { grid-area: charts; }
    .log { grid-area: log; }
    .panel-head {
      display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; padding: 0.65rem 1rem;
      border-bottom: 1px solid var(--hair);
    }
    h2 { font-size: 1rem; font-weight: 650; }
    .switch { margin-left: auto; color: var(--soft); display: inline-flex; gap: 0.4rem; align-items: center; }
    .switch input { accent-color: var(--accent); margin: 0; }

    .stage { position: relative; flex: 1; min-height: 0; }
    #viewport { height: 100%; overflow: auto; position: relative; overflow-anchor: none; contain: strict; }
    #viewport:focus-visible, #log:focus-visible { outline-offset: -2px; }
    #lines { position: relative; }
    #ghosts { position: absolute; inset: 0 0 auto; height: 0; }
    #empty { position: absolute; inset: 0; display: grid; place-content: center; color: var(--soft); pointer-events: none; }
    .line {
      position: absolute; inset: 0 0 auto; height: var(--line); padding: 0 1rem;
      display: flex; align-items: baseline; gap: 0 0.75rem; white-space: pre; line-height: var(--line);
      background: var(--panel); border-bottom: 1px solid var(--hair);
    }
    .line > * { overflow: hidden; text-overflow: ellipsis; flex: 0 1 auto; min-width: 0; }
    .line > .mark { flex: none; width: 0.75rem; line-height: inherit; }
    .line > .size, .line > .kind { flex: none; max-width: 8rem; }
    .row .subtitle { margin-left: auto; max-width: 65%; font-variant-numeric: tabular-nums; }
    .row .kind { font-size: 0.8rem; opacity: 0.85; }
    .row .subtitle, .row .kind, .header .size, .header .phase { color: var(--soft); }
    .row .kind:empty, .header .phase:empty { display: none; }
    .header { background: var(--ground); }
    .header .title { font-weight: 650; }
    .header .size { font-variant-numeric: tabular-nums; }
    #overhead { position: sticky; top: 0; margin-bottom: calc(-1 * var(--line)); z-index: 3; }
    .mark { font: 600 1em ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; text-align: center; }
    .row { transition: background-color 0.6s; }
    .row[data-sign="+"] { background: var(--insert-tint); transition: none; }
    .row[data-sign=">"] { background: var(--move-tint); transition: none; z-index: 1; }
    .row[data-sign="~"] { background: var(--update-tint); transition: none; }
    #ghosts .row { background: none; color: var(--delete); text-decoration: line-through; border: 0; }
    [data-sign="+"] > .mark { color: var(--insert); }
    [data-sign="-"] > .mark { color: var(--delete); }
    [data-sign=">"] > .mark { color: var(--move); }
    [data-sign="~"] > .mark { color: var(--update); }

    #measured { font-size: 0.8rem; padding: 0 1rem 0.75rem; }
    #charts { display: grid; grid-template-columns: 1fr 1fr; gap: 0.9rem 1.5rem; padding: 0.85rem 1rem; }
    .chart { min-width: 0; }
    figcaption { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; color: var(--soft); font-size: 0.85rem; }
    figcaption h3 { font-size: 0.85rem; font-weight: 600; color: var(--ink); width: 100%; display: flex; }
    .scale { margin-left: auto; font-weight: 400; color: var(--soft); }
    .remark { margin-left: auto; }
    .key { display: inline-flex; align-items: baseline; gap: 0.3rem; white-space: nowrap; }
    .key output { color: var(--ink); }
    .swatch { width: 0.55rem; height: 0.55rem; border-radius: 2px; background: var(--look); align-self: center; }
    .plot { position: relative; height: 3.4rem; margin-top: 0.35rem; border-bottom: 1px solid var(--hair); touch-action: pan-y;
      cursor: pointer; background: linear-gradient(var(--hair), var(--hair)) top / 100% 1px no-repeat; }
    .plot svg { display: block; width: 100%; height: 100%; }
    .area { fill: var(--look); }
    .area.look-b { stroke: var(--a); stroke-width: 1; vector-effect: non-scaling-stroke; }
    .stroke { fill: none; stroke: var(--look); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
    .look-a { --look: var(--a); } .look-b { --look: var(--b); } .look-c { --look: var(--c); }
    .look-insert { --look: var(--insert); } .look-delete { --look: var(--delete); }
    .look-move { --look: var(--move); } .look-update { --look: var(--update); }
    .cursor { position: absolute; top: -3px; bottom: 0; width: 1px; background: var(--ink); }

    #log { list-style: none; overflow: auto; flex: 1; min-height: 0; padding: 0.35rem 1rem; }
    #log ul { list-style: none; padding: 0; min-width: 0; flex: 1; }
    .group { display: flex; gap: 0.75rem; padding: 0.3rem 0; border-bottom: 1px solid var(--hair); }
    .revision { font: inherit; font-variant-numeric: tabular-nums; color: var(--accent); background: none; border: 0; padding: 0;
      width: 3.6rem; text-align: left; align-self: start; cursor: pointer; }
    .revision:hover { text-decoration: underline; }
    .operation { display: grid; grid-template-columns: 0.75rem 13.5rem minmax(0, 1fr); gap: 0.6rem; align-items: baseline; }
    .operation .what { font-variant-numeric: tabular-nums; white-space: nowrap; }
    .operation .text { color: var(--soft); white-space: pre; overflow: hidden; text-overflow: ellipsis; }
    .rest { color: var(--soft); padding-left: 1.35rem; }

    .transport {
      display: grid; grid-template-columns: auto minmax(0, 1fr) auto auto; gap: 1rem; align-items: center;
      padding: 0.6rem 0 0.9rem; background: var(--ground);
    }
    .buttons { display: flex; gap: 0.25rem; }
    .buttons button {
      width: 2.4rem; height: 2.4rem; border: 0; border-radius: 8px; background: none; color: var(--ink); padding: 0; cursor: pointer;
    }
    .buttons button:hover { background: var(--hair); }
    .buttons [aria-disabled="true"], .buttons [aria-disabled="true"]:hover { background: none; color: var(--soft); opacity: 0.45; cursor: default; }
    .buttons svg { width: 1.25rem; height: 1.25rem; display: block; margin: auto; fill: currentColor; stroke: currentColor;
      stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
    #play { background: var(--accent); color: var(--panel); border-radius: 50%; }
    #play:hover { background: var(--accent); filter: brightness(1.1); }
    #play .halt, #play.playing .go { display: none; }
    #play.playing .halt { display: inline; }
    #scrub {
      width: 100%; height: 2.4rem; margin: 0; background: none; -webkit-appearance: none; appearance: none; cursor: pointer;
      --track: linear-gradient(to right, var(--accent) var(--done, 0%), var(--hair) var(--done, 0%));
    }
    #scrub::-webkit-slider-runnable-track { height: 4px; border-radius: 2px; background: var(--track); }
    #scrub::-moz-range-track { height: 4px; border-radius: 2px; background: var(--track); }
    #scrub::-webkit-slider-thumb {
      -webkit-appearance: none; width: 16px; height: 16px; margin-top: -6px; border-radius: 50%;
      background: var(--accent); border: 3px solid var(--ground);
    }
    #scrub::-moz-range-thumb { width: 12px; height: 12px; border-radius: 50%; background: var(--accent); border: 3px solid var(--ground); }
    #place { min-width: 7ch; text-align: right; }
    .speed { color: var(--soft); display: inline-flex; gap: 0.4rem; align-items: center; }
    select { font: inherit; color: var(--ink); background: var(--panel); border: 1px solid var(--hair); border-radius: 6px;
      padding: 0.25rem 0.4rem; }
    .notice { position: fixed; inset: auto 0 0; padding: 1rem; background: var(--panel); border-top: 1px solid var(--hair); }

    @media (max-width: 60rem) {
      body { display: block; height: auto; padding: 1rem 1rem 0; }
      main { display: flex; flex-direction: column; margin-top: 0.75rem; }
      .list { height: 60vh; height: 60svh; }
      .charts { order: 1; }
      .log { order: 2; max-height: 60vh; }
      .transport {
        position: sticky; bottom: 0; z-index: 4; margin: 1rem -1rem 0; padding: 0.5rem 1rem 0.75rem;
        grid-template-columns: auto minmax(0, 1fr) auto; gap: 0 0.75rem; border-top: 1px solid var(--hair);
      }
      .speed span { position: absolute; clip-path: inset(50%); }
      #scrub { grid-column: 1 / -1; grid-row: 1; }
    }
    @media (max-width: 30rem) {
      #charts { grid-template-columns: minmax(0, 1fr); }
      .operation { grid-template-columns: 0.75rem minmax(0, 1fr); }
      .operation .text { grid-column: 2; }
    }
    @media (prefers-reduced-motion: reduce) { .row { transition: none; } }
    @media (forced-colors: active) { .swatch, .cursor { forced-color-adjust: none; } }

    """#
}
