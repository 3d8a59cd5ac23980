// Runs before the first paint, so that a chosen theme does not flash. A file of its own: no inline script is allowed.
{
  const isEmbedded = location.pathname.startsWith('/embed/')
  const theme =
    (isEmbedded && new URLSearchParams(location.search).get('theme')) ||
    localStorage.getItem('espalier-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}
