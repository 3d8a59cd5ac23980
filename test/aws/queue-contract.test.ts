import { describeQueueContract } from '../core/contracts/world/queue-contract.ts'
import { openAwsTestWorld } from './aws-test-world.ts'
import { notShown, testedOver } from './not-shown.ts'

// Apart from the other contracts, so that its waits run beside them.
const fair_groups = notShown('fair_groups')
describeQueueContract(testedOver, openAwsTestWorld, fair_groups === undefined ? {} : { fair_groups })
