import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HostsOptions } from '../../../shared/core/world/aws/run-task.ts'
import { LocalHosts } from '../../../shared/core/world/local/local-hosts.ts'
import type { Host } from '../../../shared/core/world/ports.ts'
import { findFreePort } from '../../../shared/learn/serving/server-process.ts'

const account = 'arn:aws:ecs:us-east-1:000000000000'

interface TaskProcess {
  family: string
  address: string
  launching: Promise<Host>
  /** Null until the launch is over. */
  id: string | null
}

export interface ProcessHosts {
  /** Where the SDK finds ECS: `AWS_ENDPOINT_URL_ECS`. */
  address: string
  /** What `ESPALIER_HOSTS` says. */
  options: HostsOptions
  close(): Promise<void>
}

/**
 * ECS whose tasks are child processes of this one: what the stage's functions ask of it, and no more. All hosts of a stage
 * listen on one port, so each has an address of 127.0.0.0/8 to itself, as tasks have in their network.
 *
 * @param images the entry file of each image
 * @param logs the folder that keeps what each host prints
 */
export async function openProcessHosts(images: Record<string, string>, logs: string): Promise<ProcessHosts> {
  const hosts = new LocalHosts(images, logs)
  const port = await findFreePort()
  const tasks = new Map<string, TaskProcess>()
  const byToken = new Map<string, string>()

  function run({ taskDefinition, clientToken, overrides }: RunTaskBody): string {
    const known = byToken.get(clientToken)
    if (known !== undefined) return known
    const task = randomUUID()
    const number = tasks.size + 1
    const address = `127.${64 + (process.pid % 64)}.${Math.floor(number / 250)}.${1 + (number % 250)}`
    const variables = overrides?.containerOverrides[0]?.environment ?? []
    const launching = hosts.launch({
      image: taskDefinition,
      token: task,
      environment: {
        ...Object.fromEntries(variables.map(({ name, value }) => [name, value])),
        ESPALIER_HOST_BIND: address,
        PORT: String(port),
      },
    })
    const launched: TaskProcess = { family: taskDefinition, address, launching, id: null }
    launching.then(
      ({ id }) => {
        launched.id = id
      },
      (error: unknown) => process.emitWarning(String(error)),
    )
    tasks.set(task, launched)
    byToken.set(clientToken, task)
    return task
  }

  async function describe(task: string): Promise<object[]> {
    const launched = tasks.get(task.split('/').at(-1) ?? '')
    if (launched === undefined) return []
    const [host] = launched.id === null ? [] : await hosts.describe([launched.id])
    const isStopped = host?.status === 'stopped'
    return [
      {
        taskArn: `${account}:task/espalier/${task.split('/').at(-1)}`,
        taskDefinitionArn: `${account}:task-definition/${launched.family}:1`,
        lastStatus: host === undefined ? 'PROVISIONING' : isStopped ? 'STOPPED' : 'RUNNING',
        desiredStatus: isStopped ? 'STOPPED' : 'RUNNING',
        ...(isStopped && { stoppedReason: host.reason }),
        attachments: [
          {
            type: 'ElasticNetworkInterface',
            details: [{ name: 'privateIPv4Address', value: launched.address }],
          },
        ],
      },
    ]
  }

  const operations: Record<string, (body: never) => Promise<object>> = {
    RunTask: async (body: RunTaskBody) => ({ tasks: await describe(run(body)), failures: [] }),
    DescribeTasks: async ({ tasks: asked }: { tasks: string[] }) => ({
      tasks: (await Promise.all(asked.map(describe))).flat(),
      failures: [],
    }),
    ListTasks: async () => ({
      taskArns: [...tasks.keys()].map((task) => `${account}:task/espalier/${task}`),
    }),
    StopTask: async ({ task }: { task: string }) => {
      const id = tasks.get(task)?.id
      if (id) void hosts.stop(id, { grace: 5 })
      return {}
    },
  }

  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? ''
    const answer = await operations[operation]?.(JSON.parse(Buffer.concat(chunks).toString()) as never)
    outgoing.writeHead(answer === undefined ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.1' })
    outgoing.end(JSON.stringify(answer ?? { __type: 'InvalidAction', message: operation }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const names = Object.fromEntries(Object.keys(images).map((image) => [image, image]))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    options: { cluster: 'espalier', subnets: ['subnet-1'], security_group: 'sg-1', images: names, port },
    async close() {
      server.close()
      server.closeAllConnections()
      await hosts.close()
    },
  }
}

interface RunTaskBody {
  taskDefinition: string
  clientToken: string
  overrides?: { containerOverrides: { environment: { name: string; value: string }[] }[] }
}
