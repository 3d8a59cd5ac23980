import { inject } from 'vitest'

/** Runs in each test's process before its file. */
const variables = inject('emulatorVariables')
if (Object.keys(variables).length > 0) {
  Object.assign(process.env, variables)
  delete process.env.AWS_PROFILE
  delete process.env.AWS_SESSION_TOKEN
}
