import { z } from 'zod'
import type { MachineOfSession } from '../environment.ts'
import {
  filledHookSchema,
  fillHook,
  readSecret,
  resetHookSchema,
  type SecretVariables,
} from '../reset-hook.ts'
import { webAddress } from '../tools/outside-facts.ts'

export const sessionMachineFile = 'machine.json'

/** Limits of a reset, which with the set-up of a task is one call of a host. */
const seconds = { most: 200, usual: 180 }

const commandSchema = z.strictObject({
  command: z
    .tuple([z.string().min(1)], z.string())
    .describe(
      'Program on the machine of the worker, with its arguments. It must end when the virtual machine is reset. Its environment has PATH and HOME, but no variables that hold secrets.',
    ),
  timeout: z
    .int()
    .positive()
    .max(seconds.most)
    .default(seconds.usual)
    .describe('Maximum seconds for a reset.'),
})

function isOrigin(address: string): boolean {
  return URL.canParse(address) && /^http:\/\/[^/]+\/?$/.test(address) && !/[?#]/.test(address)
}

const machineSchema = z.strictObject({
  address: webAddress
    .refine(isOrigin, 'must be http://HOST:PORT, without a path')
    .transform((text) => text.replace(/\/+$/, ''))
    .describe('Address of the server in the virtual machine, such as http://10.0.0.5:5000.'),
  reset: z
    .union([resetHookSchema('machine', seconds), commandSchema])
    .describe('Reset of the machine before each start of a task, such as restoring its snapshot.'),
})

export const osworldRegistrationSchema = z.strictObject({
  kind: z.literal('osworld'),
  machines: z
    .array(machineSchema)
    .min(1)
    .max(1000)
    .refine(
      (machines) => new Set(machines.map(({ address }) => address)).size === machines.length,
      'must name each machine once',
    )
    .describe(
      'Virtual machines. Each serves one session at a time; a search may use several in one episode.',
    ),
})

export type OsworldRegistration = z.infer<typeof osworldRegistrationSchema>

/** The machine of a session as a host receives it, with secrets filled in. Never journaled, and never in an error. */
export const sessionMachineSchema = z.object({
  address: z.string(),
  reset: z.union([
    filledHookSchema,
    z.object({ command: z.tuple([z.string()], z.string()), timeout: z.number() }),
  ]),
})

export type SessionMachine = z.infer<typeof sessionMachineSchema>

export function osworldMachines(
  { machines }: OsworldRegistration,
  secrets: SecretVariables,
): MachineOfSession[] {
  return machines.map(({ address, reset }, index) => {
    const read = (variable: string, field: string) =>
      readSecret(secrets, variable, `machines.${index}.reset.${field}`)
    const machine: SessionMachine = { address, reset: 'command' in reset ? reset : fillHook(reset, read) }
    return { address, files: { [sessionMachineFile]: JSON.stringify(machine) } }
  })
}
