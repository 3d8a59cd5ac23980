import { describeQueueContract } from '../core/contracts/world/queue-contract.ts'
import { openAwsTestWorld } from './aws-test-world.ts'
import { notShown, testedOver } from './not-shown.ts'

// Apart from the other contracts, so that its waits run beside them.
const fair_groups = notShown('fair_groups')
const chosen_groups = 'SQS delivers messages of all groups'
describeQueueContract(testedOver, openAwsTestWorld, {
  chosen_groups,
  ...(fair_groups !== undefined && { fair_groups }),
})
