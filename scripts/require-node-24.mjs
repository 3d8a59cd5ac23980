// Espalier runs on Node 24. On Linux the locked packages include it and put it first in PATH of every npm script.
// Elsewhere it must be installed.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `Espalier needs Node 24 or later; this is Node ${process.versions.node} on ${process.platform}-${process.arch}.\n` +
      'On linux-x64 and linux-arm64 `npm ci` brings Node 24 along. On other platforms install it from https://nodejs.org and run the command again.',
  )
  process.exit(1)
}
