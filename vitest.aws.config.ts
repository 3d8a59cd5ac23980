import { defineConfig } from 'vitest/config'
import { testSettings } from './scripts/test-settings.ts'
import { type EmulatorSet, emulatorSets, missingFor } from './test/aws/emulators/emulator-sets.ts'

/** Those of the drivers themselves: what they ask of S3, SQS and DynamoDB, and what they make of the answers. */
const drivers = [
  'contracts',
  'failing-services',
  'faults',
  'ledger',
  'lost-answers',
  'queue',
  'queue-contract',
].map((name) => `test/aws/${name}.test.ts`)

const all = ['test/aws/**/*.test.ts']

/**
 * Tests of the AWS world, over emulators that are installed when first needed, or over an account with `AWS_E2E=1`. By
 * default everything runs over the usual emulators, and the drivers' tests over those for Java too.
 * `ESPALIER_EMULATORS=java` (or `usual`) runs everything over that set alone.
 */
export default defineConfig({ test: { projects: chosenSets().map(projectOf) } })

function chosenSets(): { set: EmulatorSet; include: string[] }[] {
  const asked = process.env.ESPALIER_EMULATORS
  if (process.env.AWS_E2E === '1') return [{ set: 'usual', include: all }]
  if (asked !== undefined) {
    if (!Object.hasOwn(emulatorSets, asked))
      throw new Error(`ESPALIER_EMULATORS is one of ${Object.keys(emulatorSets).join(', ')}, not "${asked}".`)
    return [{ set: asked as EmulatorSet, include: all }]
  }
  const absent = missingFor('java')
  if (absent !== null) console.log(`not shown: the drivers over DynamoDB Local and ElasticMQ: ${absent}`)
  const usual = { set: 'usual' as const, include: all }
  return absent === null ? [usual, { set: 'java', include: drivers }] : [usual]
}

function projectOf({ set, include }: { set: EmulatorSet; include: string[] }) {
  return {
    test: {
      name: set,
      include,
      ...testSettings,
      globalSetup: 'test/aws/emulators/global-setup.ts',
      setupFiles: 'test/aws/emulators/use-emulators.ts',
      testTimeout: 120_000,
      hookTimeout: 60_000,
      // They wait for the emulators, and for what becomes visible again, for most of their time.
      maxWorkers: 2,
    },
  }
}
