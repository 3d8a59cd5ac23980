import { describeJudgementStore } from '../insight/judgements/judgement-store-contract.ts'
import { openAwsTestWorld } from './aws-test-world.ts'
import { testedOver } from './not-shown.ts'

describeJudgementStore(testedOver, async () => {
  const { dispose, world } = await openAwsTestWorld()
  return { ledger: world.ledger, close: dispose }
})
