import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Emulator, startEmulator } from './emulator-process.ts'
import { checkDone, installOnce, requireJava } from './install-once.ts'

/** Installs ElasticMQ and what it depends on, by the versions that `pom.xml` locks, when it is missing. @returns its folder */
export async function installElasticmq(): Promise<string> {
  requireJava('ElasticMQ')
  const lists = [join(import.meta.dirname, 'elasticmq', 'pom.xml')]
  const folder = await installOnce('elasticmq', lists, (making) => {
    const goal = ['--quiet', '--batch-mode', 'dependency:copy-dependencies', '-DoutputDirectory=lib']
    checkDone(
      spawnSync('mvn', goal, { cwd: making, encoding: 'utf8' }),
      'Installing ElasticMQ (it needs Maven, and Maven Central or its cache)',
    )
  })
  return join(folder, 'lib')
}

/**
 * Starts ElasticMQ with its queues in memory, and waits until it listens.
 *
 * @param log the file that takes what it prints
 */
export async function startElasticmq(log: string): Promise<Emulator> {
  const folder = await installElasticmq()
  return startEmulator({
    name: 'ElasticMQ',
    command: 'java',
    arguments: (port) => [
      '-Xmx256m',
      '-Dnode-address.host=127.0.0.1',
      `-Dnode-address.port=${port}`,
      '-Drest-sqs.bind-hostname=127.0.0.1',
      `-Drest-sqs.bind-port=${port}`,
      '-Drest-stats.enabled=false',
      '-Daws.region=us-east-1',
      '-Daws.accountId=000000000000',
      '-cp',
      join(folder, '*'),
      'org.elasticmq.server.Main',
    ],
    environment: {},
    log,
  })
}
