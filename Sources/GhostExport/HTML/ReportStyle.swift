/// How a report looks. Light or dark as the reader's system is, light on paper.
enum ReportStyle {
  static let rules: Markup = Markup(
    trusted: [base, head, map, gap, table, narrow, print].joined(separator: "\n"))

  private static let base = #"""
    :root{--ground:#f5f5f2;--card:#fff;--ink:#1b1f24;--soft:#5a636d;--rule:#e3e4df;--field:#f0f1ed;--even:#a9b0b7;--muted:#8a8a8a;--warm:#fdf3d8;--warm-ink:#57430a;--focus:#0b57d0}
    @media screen and (prefers-color-scheme:dark){:root{--ground:#0e1114;--card:#171b20;--ink:#eceff2;--soft:#a2acb6;--rule:#2b3138;--field:#12161a;--even:#6d7680;--muted:#8a8a8a;--warm:#2d2613;--warm-ink:#f2dd9f;--focus:#8ab4f8}}
    *,*::before,*::after{box-sizing:border-box}
    html{color-scheme:light dark;-webkit-text-size-adjust:100%}
    body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
    bdi{overflow-wrap:anywhere}
    .short{max-width:16ch;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    main,footer{max-width:70rem;margin:0 auto;padding:0 clamp(1rem,3vw,2rem)}
    h1,h2,p,ul,ol,dl,dd,figure{margin:0;padding:0}
    ul,ol{list-style:none}
    h2{font-size:1.0625rem;font-weight:650;letter-spacing:-.005em}
    [hidden]{display:none!important}
    html:not(.js) .live{display:none!important}
    .hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    .skip{position:absolute;left:1rem;top:-4rem;z-index:9;padding:.5rem 1rem;border-radius:.5rem;background:var(--ink);color:var(--card)}
    .skip:focus{top:1rem}
    :focus-visible{outline:2.5px solid var(--focus);outline-offset:2px}
    .swatch{display:inline-block;width:.75rem;height:.75rem;border-radius:50%;background:var(--c);flex:none}
    .even{--c:var(--even)}
    .card{margin-top:1.25rem;border:1px solid var(--rule);border-radius:1rem;background:var(--card);overflow:clip}
    .cardhead{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1.25rem;padding:.875rem 1.25rem;min-height:3.5rem}
    button,select{font:inherit;color:inherit}
    footer{padding-top:1.5rem;padding-bottom:3rem;color:var(--soft);font-size:.875rem}
    summary{display:inline-block;padding:.25rem 0;cursor:pointer;color:var(--ink)}
    .keys{display:grid;gap:.375rem;padding:.5rem 0 1rem}
    .keys div{display:flex;gap:1rem}
    .keys dt{flex:0 0 8rem}
    kbd{display:inline-block;min-width:1.75em;padding:0 .4em;border:1px solid var(--rule);border-radius:.35em;background:var(--card);color:var(--ink);font:inherit;text-align:center}
    """#

  private static let head = #"""
    .head{padding:clamp(2rem,6vw,4rem) 0 clamp(1.25rem,3vw,2rem)}
    h1{max-width:22ch;font-size:clamp(2rem,5.6vw,3.5rem);line-height:1.08;font-weight:700;letter-spacing:-.028em;text-wrap:balance}
    .winner{text-decoration:underline;text-decoration-color:var(--c);text-decoration-thickness:.11em;text-underline-offset:.13em;text-decoration-skip-ink:none}
    .lead{max-width:62ch;margin-top:1rem;color:var(--soft);font-size:clamp(1rem,1.6vw,1.1875rem);text-wrap:pretty}
    .caution{margin-bottom:1.25rem;padding:.875rem 1.25rem;border-radius:1rem;background:var(--warm);color:var(--warm-ink)}
    .caution p{max-width:75ch}
    .caution p+p{margin-top:.375rem}
    .overview{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1.25rem}
    .drives{display:grid;gap:1.25rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,13.5rem),1fr));align-content:stretch}
    .drive,.reasons{padding:1.125rem 1.25rem 1.25rem;border:1px solid var(--rule);border-radius:1rem;background:var(--card)}
    .drive{position:relative;overflow:clip}
    .drive::before{content:"";position:absolute;inset:0 0 auto;height:4px;background:var(--c)}
    .name{display:flex;align-items:center;gap:.5rem;font-weight:650}
    .name .swatch{display:none}
    .badge{flex:none;margin-left:auto;padding:.0625rem .5625rem;border-radius:1rem;background:var(--field);font-size:.875rem;font-weight:600}
    .drive dl{display:grid;grid-template-columns:1fr 1fr;gap:.75rem 1rem;margin-top:.875rem}
    dt{color:var(--soft);font-size:.8125rem}
    .drive dd{font-size:1.0625rem;font-weight:550}
    .source{margin-top:.75rem;color:var(--soft);font-size:.8125rem}
    .sides{display:flex;justify-content:space-between;gap:1rem;margin-top:.375rem;color:var(--soft);font-size:.8125rem}
    .sides span{display:inline-flex;align-items:center;gap:.4rem;min-width:0}
    .reasons ul{display:grid;gap:.625rem;margin-top:.75rem}
    .reasons li{display:grid;grid-template-columns:6rem 1fr 5.75rem;align-items:center;gap:.75rem}
    .scale{position:relative;height:1.25rem;border-radius:.25rem;background:linear-gradient(var(--soft),var(--soft)) 50%/1px 100% no-repeat,var(--field)}
    .scale span{position:absolute;top:.1875rem;bottom:.1875rem;min-width:2px;border-radius:.1875rem;background:var(--c)}
    .value{text-align:right;font-weight:550}
    """#

  private static let map = #"""
    .legend{display:flex;flex-wrap:wrap;gap:.25rem 1rem;color:var(--soft);font-size:.875rem}
    .legend li{display:inline-flex;align-items:center;gap:.4rem}
    .views{display:flex;margin-left:auto;padding:.1875rem;border-radius:.625rem;background:var(--field)}
    .views button{white-space:nowrap;min-height:2rem;padding:0 .75rem;border:0;border-radius:.4375rem;background:none;color:var(--soft);font-size:.875rem;cursor:pointer}
    .views button[aria-pressed=true]{background:var(--card);color:var(--ink);box-shadow:0 1px 2px #0003}
    .map{position:relative;aspect-ratio:1000/600;background:var(--field);border-block:1px solid var(--rule);overflow:clip}
    .js .map{aspect-ratio:auto;height:clamp(20rem,64vh,38rem)}
    #map-picture{display:block;width:100%;height:100%;touch-action:pan-y;user-select:none;-webkit-user-select:none}
    #map-picture:focus-visible{outline-offset:-3px}
    .js #map-picture{cursor:grab}
    .map.hit #map-picture{cursor:pointer}
    .map.dragged #map-picture{cursor:grabbing}
    #world path{fill:none;stroke:var(--c);vector-effect:non-scaling-stroke;stroke-linecap:round;stroke-linejoin:round}
    #world .trimmed{stroke:var(--muted);stroke-width:2.5px;stroke-dasharray:1 5}
    #world .route{stroke-width:3px}
    #world .casing .route{stroke:var(--field);stroke-width:7px}
    [data-view=routes] .won{display:none}
    [data-view=routes] #world [data-drive]{stroke-width:var(--w,3px)}
    #leg path{stroke:var(--focus)!important;stroke-width:16px;opacity:.22}
    #world .tail{stroke-width:7px;opacity:.5}
    #tiles{opacity:.75}
    .glyph{transform:scale(var(--glyph,1))}
    .crowded{display:none}
    .stop circle{fill:var(--card);stroke:var(--c);stroke-width:2px}
    .stop path{stroke:var(--ink);stroke-width:1.4px;fill:none}
    .pin path{fill:var(--ink);stroke:var(--card);stroke-width:1.5px}
    .pin text{fill:var(--card);font-size:10.5px;font-weight:700}
    .ghost .core{fill:var(--c);stroke:#fff;stroke-width:2.5px}
    .ghost .pulse{fill:none;stroke:var(--c);stroke-width:2.5px;transform-box:fill-box;transform-origin:center;animation:pulse 1.8s cubic-bezier(.2,.6,.4,1) infinite}
    html:not(.js) #ghosts{display:none}
    #ghosts,#spot{pointer-events:none}
    @keyframes pulse{from{transform:scale(.8);opacity:.9}to{transform:scale(2.2);opacity:0}}
    @media (prefers-reduced-motion:reduce){.ghost .pulse{animation:none;transform:scale(1.35);opacity:.55}}
    #spot circle{fill:none;stroke:var(--ink);stroke-width:2.5px}
    #spot circle+circle{fill:var(--ink);stroke:none}
    .mapbuttons{position:absolute;top:.75rem;right:.75rem;display:grid;gap:.375rem}
    .mapbuttons button{display:grid;place-items:center;width:2.5rem;height:2.5rem;padding:0;border:1px solid var(--rule);border-radius:.625rem;background:var(--card);cursor:pointer}
    .mapbuttons button:hover{border-color:var(--soft)}
    .mapbuttons button[aria-pressed=true]{background:var(--ink);color:var(--card)}
    .icon{width:1.25rem;height:1.25rem;fill:none}
    .icon.line path{stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
    .icon.solid path{fill:currentColor}
    .mapscale{position:absolute;left:1rem;bottom:.75rem;color:var(--soft);font-size:.75rem;pointer-events:none;text-align:center}
    .mapscale span{display:block;height:.375rem;margin-bottom:.125rem;border:1.5px solid var(--soft);border-top:0}
    .tiled .mapscale,.attribution{padding:.0625rem .375rem;border-radius:.25rem;background:var(--card)}
    .attribution{position:absolute;right:.5rem;bottom:.5rem;color:var(--soft);font-size:.75rem}
    .player{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem 1rem;padding:.875rem 1.25rem}
    .play{display:grid;place-items:center;flex:none;width:3rem;height:3rem;padding:0;border:0;border-radius:50%;background:var(--ink);color:var(--card);cursor:pointer}
    .play .icon{width:1.5rem;height:1.5rem}
    .playing .playing-no,html:not(.playing) .playing-yes{display:none}
    .scrub{flex:1 1 12rem;display:flex}
    .scrub input{width:100%;height:2rem;margin:0;background:none;appearance:none;-webkit-appearance:none;cursor:pointer}
    .scrub input::-webkit-slider-runnable-track{height:.375rem;border-radius:1rem;background:linear-gradient(to right,var(--ink) var(--done,0%),var(--rule) var(--done,0%))}
    .scrub input::-webkit-slider-thumb{-webkit-appearance:none;width:1.25rem;height:1.25rem;margin-top:-.4375rem;border:3px solid var(--card);border-radius:50%;background:var(--ink);box-shadow:0 0 0 1px var(--soft)}
    .scrub input::-moz-range-track{height:.375rem;border-radius:1rem;background:linear-gradient(to right,var(--ink) var(--done,0%),var(--rule) var(--done,0%))}
    .scrub input::-moz-range-thumb{width:.875rem;height:.875rem;border:3px solid var(--card);border-radius:50%;background:var(--ink);box-shadow:0 0 0 1px var(--soft)}
    #clock{min-width:4ch;font-weight:600;text-align:right}
    .speed select{min-height:2.25rem;padding:0 .5rem;border:1px solid var(--rule);border-radius:.5rem;background:var(--card)}
    .livegap:empty{display:none}
    .livegap{flex:0 1 100%;min-height:1.5em;padding-left:4rem;margin-top:-.5rem;color:var(--soft);font-size:.9375rem}
    """#

  private static let gap = #"""
    .reading{margin-left:auto;color:var(--soft);font-size:.9375rem}
    .plot{display:grid;grid-template-columns:3.75rem 1fr;padding:0 1.25rem .25rem 0}
    .ylabels{position:relative}
    .ylabels span{position:absolute;right:.625rem;transform:translateY(-50%);color:var(--soft);font-size:.75rem}
    .field{position:relative;height:clamp(12rem,34vw,19rem);touch-action:pan-y;cursor:crosshair}
    .field svg{display:block;width:100%;height:100%;overflow:visible}
    .field path{vector-effect:non-scaling-stroke;fill:none}
    .field .grid{stroke:var(--rule);stroke-width:1px}
    .field .zero{stroke:var(--soft);stroke-width:1px}
    .band{fill:var(--muted);fill-opacity:.18}
    .gapline{stroke:var(--c);stroke-width:2.5px;stroke-linejoin:round;stroke-linecap:round}
    .gapline.leader{stroke:url(#leader)}
    .gapline.usual{stroke:var(--soft);stroke-dasharray:6 5;fill:none}
    .directions .dash{display:inline-block;width:1.5rem;margin-right:.375rem;border-top:2px dashed var(--soft);vertical-align:middle}
    .field .gaparea{fill:url(#leader);fill-opacity:.16}
    stop{stop-color:var(--c)}
    .directions{display:flex;flex-wrap:wrap;gap:.125rem 1.5rem;padding:0 1.25rem .75rem 3.75rem;color:var(--soft);font-size:.8125rem}
    .directions li{display:inline-flex;align-items:center;gap:.375rem;max-width:100%}
    .up,.down{border:.3125rem solid transparent;border-bottom:.5rem solid var(--c,var(--soft));border-top:0}
    .down{border-top:.5rem solid var(--c,var(--soft));border-bottom:0}
        .cursor{position:absolute;top:0;bottom:0;width:0;border-left:1.5px solid var(--ink);pointer-events:none}
    .cursor::before{content:"";position:absolute;left:-5px;top:-5px;border:4.5px solid transparent;border-top:6px solid var(--ink)}
    .xlabels{position:relative;grid-column:2;height:1.75rem}
    .xlabels span{position:absolute;top:.375rem;transform:translateX(-50%);color:var(--soft);font-size:.75rem;white-space:nowrap}
    .caption{padding:.375rem 1.25rem 1rem 3.75rem;color:var(--soft);font-size:.8125rem}
    """#

  private static let table = #"""
    table{width:100%;border-collapse:collapse;font-size:.9375rem}
    @media (min-width:44.01rem),print{table{table-layout:fixed}th:nth-child(1){width:10%}th:nth-child(2){width:11%}th:nth-child(3){width:15%}th:nth-child(4),th:nth-child(5){width:13%}th:nth-child(6){width:22%}}
    caption{padding:.5rem 1.25rem;color:var(--soft);text-align:left}
    thead th{color:var(--soft);font-size:.8125rem;font-weight:500;vertical-align:bottom}
    th,td{padding:.625rem .75rem;border-top:1px solid var(--rule);text-align:left}
    th:first-child{padding-left:1.25rem}
    td:last-child,th:last-child{padding-right:1.25rem}
    tbody th{font-weight:600;white-space:nowrap}
    .number{text-align:right}
    .wide{overflow-x:auto}
    table.route{table-layout:auto}
    table.route th{width:auto}
    table.route th small{display:block;font-weight:400}
    tfoot th,tfoot td{border-top-width:2px}
    td small{display:block;color:var(--soft);font-size:.8125rem}
    tr.detour td:nth-child(2),tr.unknown td:nth-child(2){font-weight:600}
    .gain{display:inline-flex;align-items:center;gap:.5rem}
    .gain .swatch{height:.625rem;border-radius:.1875rem}
    .leg{min-height:1.75rem;padding:0 .25rem;margin-left:-.25rem;border:0;background:none;font-weight:600;text-decoration:underline;text-decoration-color:var(--even);text-underline-offset:.2em;cursor:pointer}
    html:not(.js) .leg{text-decoration:none}
    .findings{padding:0 1.25rem 1.25rem}
    .findings li{max-width:75ch;padding-left:1rem;text-indent:-1rem}
    .findings li::before{content:"·";display:inline-block;width:1rem;text-indent:0;color:var(--soft);font-weight:700}
    .findings li+li{margin-top:.375rem}
    """#

  private static let narrow = #"""
    @media (max-width:44rem){
    html:not(.js) .glyph{--glyph:2}
    .cardhead,.player{padding-inline:1rem}
    .views{margin-left:0;width:100%}
    .views button{flex:1}
    .reading{margin-left:0;width:100%}
    .js .map{height:min(70vh,24rem)}
    .plot{grid-template-columns:3.25rem 1fr;padding-right:1rem}
    .xlabels .minor{display:none}
    .caption,.directions{padding-left:1rem}
    .sides .short{max-width:11ch}
    .livegap{padding-left:0;margin-top:0}
    .reasons li{grid-template-columns:6rem 1fr 4.5rem;gap:.5rem}
    .mapbuttons{grid-auto-flow:column;top:.5rem;right:.5rem}
    table,tbody,tfoot,tr,td,tbody th,tfoot th{display:block}
    thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
    tbody tr,tfoot tr{display:grid;grid-template-columns:auto 1fr;padding:.625rem 1rem;border-top:1px solid var(--rule)}
    tbody th,td,th:first-child,td:last-child{padding:.125rem 0;border:0;text-align:right}
    tbody th,tbody th:first-child{text-align:left}
    td[data-label]{grid-column:1/-1;display:flex;justify-content:space-between;gap:1rem}
    td[data-label]::before{content:attr(data-label);flex:none;max-width:50%;color:var(--soft);text-align:left}
    td small{display:inline;margin-left:.375rem}
    .keys dt{flex-basis:6.5rem}
    }
    """#

  private static let print = #"""
    @media print{
    body{background:none;font-size:10.5pt}
    main,footer{max-width:none;padding-inline:0}
    .live,.skip{display:none!important}
    .head{padding-top:0}
    .card,.drive,.reasons,tr{break-inside:avoid}
    .js .map{height:9cm}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    #ghosts,#spot,#tails,#leg,.cursor{display:none}
    }

    """#
}
