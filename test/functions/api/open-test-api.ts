import { type AppOptions, createApp } from '../../../functions/api/create-app.ts'
import type { LogEntry } from '../../../functions/api/log.ts'
import { errorBodySchema } from '../../../shared/core/contracts/error-body.ts'
import type { RunRequest } from '../../../shared/core/contracts/run.ts'
import { validRun } from './fake-answers.ts'
import { FakeServices } from './fake-services.ts'

/** The app over fake services, with its log kept. Without further ado, everybody is the default tenant's admin. */
export function openTestApi(options: Partial<AppOptions> = {}) {
  const services = new FakeServices()
  const logged: LogEntry[] = []
  const app = createApp(services, {
    authenticate: () => ({ tenant: 'default', scopes: ['admin'], key: null }),
    log: (entry) => logged.push(entry),
    eventTimes: { poll: 5, snapshot: 20, keepAlive: 15_000 },
    ...options,
  })

  return {
    app,
    services,
    logged,
    /** A run that stands as if it had been created before. */
    addRun: () => services.addRun(validRun as unknown as RunRequest),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      app.request(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}

/** The error of an answer, which must have the shape that all errors have. */
export async function readError(answer: Response) {
  const { error } = errorBodySchema.parse(await answer.json())
  return { status: answer.status, ...error }
}
