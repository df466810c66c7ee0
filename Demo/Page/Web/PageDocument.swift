/// The skeleton of the page. What stands between two percent signs is put in.
enum PageDocument {
  static let text = #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="%POLICY%">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="generator" content="%GENERATOR%">
    <link rel="icon" href="data:,">
    <title>Recording · Rowcast</title>
    <style nonce="%NONCE%">
    %STYLE%
    </style>
    </head>
    <body>
    <header class="masthead">
      <h1 id="name">Recording</h1>
      <p id="facts"></p>
    </header>
    <main>
      <section class="panel list" aria-labelledby="list-title">
        <div class="panel-head">
          <h2 id="list-title">List</h2>
          <p id="list-size" class="figures"></p>
          <label class="switch" title="Scroll to what changes (F)">
            <input type="checkbox" id="follow"> Follow changes
          </label>
        </div>
        <div class="stage">
          <div id="viewport" role="table" aria-labelledby="list-title" tabindex="0">
            <div id="overhead" class="line header" aria-hidden="true"></div>
            <div id="ghosts" aria-hidden="true"></div>
            <div id="lines" role="rowgroup"></div>
          </div>
          <p id="empty">The list is empty here.</p>
        </div>
      </section>
      <section class="panel charts" aria-labelledby="charts-title">
        <h2 id="charts-title" class="unseen">Cells and updates</h2>
        <div id="charts"></div>
        <p id="measured" class="note"></p>
      </section>
      <section class="panel log" aria-labelledby="log-title">
        <div class="panel-head">
          <h2 id="log-title">Operations</h2>
          <p class="figures">newest first, in UIKit's index paths</p>
        </div>
        <ol id="log" tabindex="0" aria-labelledby="log-title"></ol>
      </section>
    </main>
    <footer class="transport" role="group" aria-label="Playback">
      <div class="buttons">
        <button type="button" id="first" aria-label="First list" title="First list (Home)">
          <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M5 4v12M16 4.5v11L7.5 10z"/></svg></button>
        <button type="button" id="back" aria-label="One update back" title="One update back (←)">
          <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M13.5 4.5v11L6 10z"/></svg></button>
        <button type="button" id="play" aria-label="Play" title="Play or pause (Space)">
          <svg viewBox="0 0 20 20" aria-hidden="true"><path class="go" d="M6.5 3.5v13L16.5 10z"/>
          <path class="halt" d="M5.5 4h3v12h-3zM11.5 4h3v12h-3z"/></svg></button>
        <button type="button" id="forth" aria-label="One update on" title="One update on (→)">
          <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M6.5 4.5v11L14 10z"/></svg></button>
        <button type="button" id="last" aria-label="Last list" title="Last list (End)">
          <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M15 4v12M4 4.5v11l8.5-5.5z"/></svg></button>
      </div>
      <input type="range" id="scrub" min="0" value="0" step="1" aria-label="Update">
      <output id="place" class="figures" for="scrub"></output>
      <label class="speed"><span>Speed</span>
        <select id="speed" title="Updates a second; the recording itself has no clock"></select>
      </label>
    </footer>
    <p id="status" role="status" class="unseen"></p>
    <noscript><p class="notice">This page plays a recorded list. It needs JavaScript, and nothing from the network.</p>
    </noscript>
    <script type="application/json" id="recording">
    %RECORDING%
    </script>
    <script type="module" nonce="%NONCE%">
    %SCRIPT%
    </script>
    </body>
    </html>

    """#
}
