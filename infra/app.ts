import { EspalierError } from '../shared/core/contracts/errors.ts'
import { buildApp } from './build-app.ts'

try {
  const app = await buildApp()
  app.synth()
} catch (error) {
  if (!EspalierError.isInstance(error)) throw error
  console.error(error.message)
  process.exitCode = 1
}
