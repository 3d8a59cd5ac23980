import { connect, createServer } from 'node:net'

// Carries connections to a port of this network namespace to a socket of the file system, which all namespaces share.
const [socket = '', port = ''] = process.argv.slice(2)
createServer((client) => {
  const target = connect(socket)
  for (const [from, to] of [
    [client, target],
    [target, client],
  ] as const) {
    from.on('error', () => to.destroy())
    from.pipe(to)
  }
}).listen(Number(port), '127.0.0.1')
