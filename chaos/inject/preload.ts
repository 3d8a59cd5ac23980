import { isMainThread } from 'node:worker_threads'
import { controlVariable, worldVariable } from './control.ts'

// `node --import` loads this into every process of the service before any other module.
const path = process.env[controlVariable]
if (path !== undefined && isMainThread) {
  const { inject } = await import('./inject.ts')
  await inject(path, process.env[worldVariable])
}
