import type { ApiApp } from '../../functions/api/api-app.ts'
import { needs } from '../../functions/api/authentication/needs.ts'
import type { Principal } from '../../shared/core/auth/principal.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { JoinGateway } from '../../shared/core/engine/joining/join-gateway.ts'
import { joinedPath, workerHeader } from '../../shared/core/world/joined/joined-call.ts'

export function joinedName(key: string, suffix: string): string {
  return `joined-${key.replace(/^key-/, '')}-${suffix}`
}

export function addJoinRoute(app: ApiApp, gateway: JoinGateway): void {
  app.use(joinedPath, ...needs('workers:join').middleware)
  app.post(joinedPath, async (context) => {
    const { key, tenant } = context.get('principal') as Principal
    const name = context.req.header(workerHeader) ?? ''
    if (key === null || !name.startsWith(joinedName(key, '')) || !/^[a-z0-9-]{1,100}$/.test(name))
      throw new EspalierError(
        'invalid_request',
        'A worker joins with a key of its own, and its name begins with that of the key: start it with espalier worker --join.',
      )
    const bytes = new Uint8Array(await context.req.arrayBuffer())
    const answer = await gateway.answer({ name, tenant }, bytes, context.req.raw.signal)
    return context.body(answer, 200, { 'Content-Type': 'application/octet-stream' })
  })
}
