import { type EmulatorSet, emulatorSets } from './emulators/emulator-sets.ts'

/** What the contracts promise and not every emulator can show, by the program that cannot and why. */
const emulators = {
  fair_groups: {
    fauxqs: 'fauxqs gives out messages in their order: no emulator of SQS has fair queues',
    elasticmq: 'ElasticMQ gives out messages in their order: no emulator of SQS has fair queues',
  },
  containers: { moto: 'moto knows tasks, but runs no containers' },
  capacity_providers: {
    moto: 'moto has no Fargate capacity providers: a proxy asks it for the launch type instead',
  },
  client_tokens: { moto: 'moto starts a task for every RunTask, whatever its client token' },
  presign_expiry: { moto: 'moto serves signed addresses that have expired' },
  presign_headers: { moto: 'moto sends no Content-Disposition that a signed address asks for' },
  conditions_of_uploads: {
    moto: 'moto looks at If-None-Match when an upload in parts ends, but not at If-Match, and not while others end theirs',
  },
  supplementary_characters: { fauxqs: 'fauxqs refuses characters past U+FFFF, which SQS takes' },
  time_to_live: {
    dynoxide: 'dynoxide removes no items whose time to live is over while a test can wait',
    'dynamodb-local':
      'DynamoDB Local removes items some seconds after their time to live: longer than a test can wait',
  },
} as const satisfies Record<string, Partial<Record<Program, string>>>

type Program = (typeof emulatorSets)[EmulatorSet][keyof (typeof emulatorSets)['usual']]
type Promised = keyof typeof emulators

/** Of these moto is asked in every set, whatever is S3. */
const ofHosts: readonly Promised[] = ['containers', 'capacity_providers', 'client_tokens']

const account: Partial<Record<Promised, string>> = {
  containers: 'hosts can be reached inside their own network only',
  time_to_live: 'DynamoDB removes items within days of their time to live',
}

export const isAccount = process.env.AWS_E2E === '1'

const set = emulatorSets[(process.env.ESPALIER_EMULATORS ?? 'usual') as EmulatorSet]

/** What the tests meet: an account, or programs. */
export const testedOver = isAccount ? 'an AWS account' : `${set.s3}, ${set.sqs} and ${set.dynamodb}`

/** Why something cannot be shown here; undefined where it can. */
export function notShown(what: Promised): string | undefined {
  if (isAccount) return account[what] && `account: ${account[what]}`
  const reasons: Partial<Record<Program, string>> = emulators[what]
  const programs: Program[] = ofHosts.includes(what) ? ['moto'] : Object.values(set)
  const reason = programs.flatMap((program) => reasons[program] ?? [])[0]
  return reason && `emulator: ${reason}`
}

/** For what the other tests show wherever it can be shown. */
export function sayNotShown(what: Promised): void {
  const reason = notShown(what)
  if (reason !== undefined) console.log(`not shown: ${reason}`)
}

/** Declares tests where they can be shown, and says so where they cannot. */
export function whereShown(what: Promised, declare: () => void): void {
  if (notShown(what) === undefined) declare()
  else sayNotShown(what)
}
