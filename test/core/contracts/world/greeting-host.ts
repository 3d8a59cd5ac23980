import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The host that the contract launches: it answers with its GREETING. STUBBORN makes it refuse to leave when asked. */
const server = createServer((_incoming, outgoing) => outgoing.end(process.env.GREETING ?? ''))
server.listen(Number(process.env.PORT ?? 0), () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`)
})

process.on('SIGTERM', () => {
  if (process.env.STUBBORN !== undefined) return
  process.stdout.write('draining\n')
  server.close()
  server.closeAllConnections()
})
