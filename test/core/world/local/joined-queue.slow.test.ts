import { describeQueueContract } from '../../contracts/world/queue-contract.ts'
import { openJoinedForContract } from './local-test-world.ts'

// Apart from the other contracts, so that its waits run beside them.
describeQueueContract('a joined local world', openJoinedForContract)
