import { describeQueueContract } from '../../contracts/world/queue-contract.ts'
import { openForContract } from './local-test-world.ts'

// Apart from the other contracts, so that its waits run beside them.
describeQueueContract('the local world', openForContract)
