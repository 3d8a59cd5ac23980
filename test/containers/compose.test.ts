import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { addServeCommand } from '../../cli/commands/serve.ts'
import { sharedWorld } from '../../cli/shared-world.ts'
import { AwsConnections } from '../../shared/core/world/aws/aws-connections.ts'
import { AwsObjects } from '../../shared/core/world/aws/aws-objects.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'

interface ComposedService {
  image?: string
  command?: string[]
  environment: Record<string, string>
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
}

const file = readFileSync(resolve(import.meta.dirname, '../../compose.yaml'), 'utf8')
const { services, volumes } = parse(file) as {
  services: Record<string, ComposedService>
  volumes: Record<string, unknown>
}

const filledIn = (value: string) => value.replace(/\$\{\w+:[^}]+\}/, 'word')

test('its service starts with words and variables that espalier serve takes', () => {
  const { command = [], environment = {} } = services.service ?? {}
  const program = new Command().option('--folder <folder>').exitOverride()
  addServeCommand(program, recordingTerminal())
  const serve = program.commands.find((one) => one.name() === 'serve')
  serve?.exitOverride().action(() => undefined)
  program.parse(command, { from: 'user' })
  expect(serve?.optsWithGlobals()).toMatchObject({ host: '0.0.0.0', folder: '/data', workers: 2 })
  const filled = Object.entries(environment).map(([name, value]) => [name, filledIn(value)])
  expect(sharedWorld({}, Object.fromEntries(filled))).toMatchObject({
    name: 'database/espalier',
    objects: 's3://espalier',
  })
})

test('its passwords come from outside, its images are pinned, and its data lies in volumes', () => {
  for (const [name, { environment, image = '', volumes: mounts = [] }] of Object.entries(services)) {
    if (name !== 'service') expect(image).toMatch(/:(\d|RELEASE\.\d)/)
    for (const [variable, value] of Object.entries(environment))
      if (/PASSWORD|SECRET|WORLD/.test(variable)) expect(value, variable).toMatch(/\$\{\w+_PASSWORD:\?/)
    for (const mount of mounts) expect(Object.keys(volumes)).toContain(mount.split(':')[0])
  }
  for (const { depends_on = {} } of Object.values(services))
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(depends_on)))
})

test('a store at an address of its own is asked by paths: no bucket of it has a host name', async () => {
  const { environment = {} } = services.service ?? {}
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [name, value] of Object.entries(environment))
    if (name.startsWith('AWS_')) vi.stubEnv(name, filledIn(value))
  const connections = new AwsConnections()
  onTestFinished(() => connections.close())
  const { url } = await new AwsObjects(connections, 'espalier').sign('runs/a', { expires_in: 60 })
  expect(url).toMatch(/^http:\/\/store:9000\/espalier\/runs\/a\?/)
})
