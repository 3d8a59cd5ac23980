import { MemoryLedger } from '../../support/memory-ledger.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { describeJudgementStore } from './judgement-store-contract.ts'

describeJudgementStore('memory', async () => ({ ledger: new MemoryLedger(), close: async () => {} }))

describeJudgementStore('local', async () => {
  const { close, world } = await openOwnWorld()
  return { ledger: world.ledger, close }
})
