/** Serves fauxqs on 127.0.0.1 alone: its own command listens on every address. Arguments: its module, and the port. */
const [, , module = '', port = ''] = process.argv
const { buildApp } = await import(module)
await buildApp({ logger: false }).listen({ host: '127.0.0.1', port: Number(port) })

export {}
