import { createStore } from './store.ts'

/** The result of the last request. While it is `lost`, the page polls the service every second. */
export const connection = createStore<'connected' | 'lost'>('connected')

const every = 1000
let isAsking = false

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
