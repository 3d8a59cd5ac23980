/**
 * What the contracts promise and the emulators cannot show. Each is printed when its part of a suite is left out; over an
 * account (`AWS_E2E=1`) all is shown but what only the hosts' own network can.
 */
const emulators = {
  fair_groups: 'fauxqs gives out messages in their order: no emulator of SQS has fair queues',
  containers: 'moto knows tasks, but runs no containers',
  capacity_providers: 'moto has no Fargate capacity providers: a proxy asks it for the launch type instead',
  client_tokens: 'moto starts a task for every RunTask, whatever its client token',
  presign_expiry: 'moto serves signed addresses that have expired',
  presign_headers: 'moto sends no Content-Disposition that a signed address asks for',
  conditions_of_uploads:
    'moto looks at If-None-Match when an upload in parts ends, but not at If-Match, and not while others end theirs',
  supplementary_characters: 'fauxqs refuses characters past U+FFFF, which SQS takes',
  time_to_live: 'dynoxide removes no items whose time to live is over while a test can wait',
} as const

const account: Partial<Record<keyof typeof emulators, string>> = {
  containers: 'hosts can be reached inside their own network only',
  time_to_live: 'DynamoDB removes items within days of their time to live',
}

export const isAccount = process.env.AWS_E2E === '1'

/** Why something cannot be shown here; undefined where it can. */
export function notShown(what: keyof typeof emulators): string | undefined {
  if (isAccount) return account[what] && `account: ${account[what]}`
  return `emulator: ${emulators[what]}`
}

/** For what the other tests show wherever it can be shown. */
export function sayNotShown(what: keyof typeof emulators): void {
  const reason = notShown(what)
  if (reason !== undefined) console.log(`not shown: ${reason}`)
}

/** Declares tests where they can be shown, and says so where they cannot. */
export function whereShown(what: keyof typeof emulators, declare: () => void): void {
  if (notShown(what) === undefined) declare()
  else sayNotShown(what)
}
