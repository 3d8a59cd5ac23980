import { createStore } from './store.ts'

/** Whether the service answered last time; it is asked again every second while it does not. */
export const connection = createStore<'connected' | 'lost'>('connected')

const every = 1000
let isAsking = false

/** Notes that no service answered, and asks until one does. */
export function loseConnection(): void {
  connection.set('lost')
  if (isAsking) return
  isAsking = true
  const ask = async () => {
    if (await answers()) {
      isAsking = false
      connection.set('connected')
    } else setTimeout(ask, every)
  }
  setTimeout(ask, every)
}

/** Finds out whether a service answers, after a failure that does not show it. */
export async function checkConnection(): Promise<void> {
  if (!(await answers())) loseConnection()
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch('/health', { cache: 'no-store' })).ok
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
