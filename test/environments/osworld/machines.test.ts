import { expect, test } from 'vitest'
import {
  osworldMachines,
  osworldRegistrationSchema,
  sessionMachineSchema,
} from '../../../shared/environments/osworld/machines.ts'

const registered = (machines: unknown) => osworldRegistrationSchema.safeParse({ kind: 'osworld', machines })
const reset = {
  address: 'http://10.0.0.1/restore',
  form: { snapshot: 'clean', key: { variable: 'VM_KEY' } },
  headers: { authorization: { variable: 'VM_TOKEN' } },
}
const byHook = { address: 'http://10.0.0.5:5000/', reset }
const byCommand = { address: 'http://10.0.0.6:5000', reset: { command: ['virsh', 'snapshot-revert', 'vm6'] } }

test('machines are given to hosts with what their resets need, secrets filled in', () => {
  const registration = osworldRegistrationSchema.parse({ kind: 'osworld', machines: [byHook, byCommand] })
  const variables = { VM_KEY: 'k', VM_TOKEN: 't' }
  const machines = osworldMachines(registration, { id: 'desktops', variables })
  expect(machines.map(({ address }) => address)).toEqual(['http://10.0.0.5:5000', 'http://10.0.0.6:5000'])
  const files = machines.map((machine) =>
    sessionMachineSchema.parse(JSON.parse(machine.files['machine.json'] as string)),
  )
  expect(files).toEqual([
    {
      address: 'http://10.0.0.5:5000',
      reset: {
        address: 'http://10.0.0.1/restore',
        form: { snapshot: 'clean', key: 'k' },
        headers: { authorization: 't' },
        timeout: 180,
      },
    },
    {
      address: 'http://10.0.0.6:5000',
      reset: { command: ['virsh', 'snapshot-revert', 'vm6'], timeout: 180 },
    },
  ])
})

test('a secret that is not set is named by its field, and its machine is not used', () => {
  const registration = osworldRegistrationSchema.parse({ kind: 'osworld', machines: [byCommand, byHook] })
  const given = { id: 'desktops', variables: { VM_KEY: 'k' } }
  expect(() => osworldMachines(registration, given)).toThrow(
    'environments.desktops.machines.1.reset.headers.authorization in environments.json: the environment variable VM_TOKEN is not set.',
  )
})

test('a machine that is named twice, or could not be put back, is refused', () => {
  expect(registered([byCommand, byCommand]).error?.issues[0]?.message).toBe('must name each machine once')
  expect(registered([{ address: 'http://10.0.0.5:5000' }]).success).toBe(false)
  expect(registered([{ ...byCommand, reset: { command: [] } }]).success).toBe(false)
  expect(registered([]).success).toBe(false)
  for (const address of [
    'http://user:word@vm:5000',
    'https://vm:5000',
    'http://vm:5000/desktop',
    'http://vm?a',
  ]) {
    expect(registered([{ ...byCommand, address }]).success).toBe(false)
  }
})
