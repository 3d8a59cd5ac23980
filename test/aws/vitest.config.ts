import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { type TestProject, testProjectConfig, testProjects } from '../test-projects.ts'
import { type EmulatorSet, emulatorSets, missingFor } from './emulators/emulator-sets.ts'

const aws = testProjectConfig(testProjects.find(({ name }) => name === 'aws') as TestProject)
const all = aws.include
/** Tests of the drivers: their requests to S3, SQS and DynamoDB, and how they read the answers. */
const drivers = [
  'contracts',
  'failing-services',
  'faults',
  'ledger',
  'lost-answers',
  'queue',
  'queue-contract',
].map((name) => `test/aws/${name}.test.ts`)

/**
 * Tests of the AWS world, over emulators that are installed when first needed, or over an account with `AWS_E2E=1`. By
 * default everything runs over the usual emulators, and the drivers' tests over those for Java too.
 * `ESPALIER_EMULATORS=java` (or `usual`) runs everything over that set alone.
 */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    name: aws.name,
    projects: chosenSets().map(({ set, include }) => ({
      test: {
        ...aws,
        name: set,
        include,
        provide: { emulatorSet: set },
        globalSetup: 'test/aws/emulators/global-setup.ts',
        setupFiles: 'test/aws/emulators/use-emulators.ts',
      },
    })),
  },
})

function chosenSets(): { set: EmulatorSet; include: string[] }[] {
  const asked = process.env.ESPALIER_EMULATORS
  if (process.env.AWS_E2E === '1') return [{ set: 'usual', include: all }]
  if (asked !== undefined) {
    if (!Object.hasOwn(emulatorSets, asked))
      throw new Error(`ESPALIER_EMULATORS is one of ${Object.keys(emulatorSets).join(', ')}, not "${asked}".`)
    return [{ set: asked as EmulatorSet, include: all }]
  }
  const usual = { set: 'usual' as const, include: all }
  return missingFor('java') === null ? [usual, { set: 'java', include: drivers }] : [usual]
}
