import { describeHostsContract } from '../../contracts/world/hosts-contract.ts'
import { describeLabelsContract } from '../../contracts/world/labels-contract.ts'
import { describeLeaseContract } from '../../contracts/world/lease-contract.ts'
import { describeLedgerContract } from '../../contracts/world/ledger-contract.ts'
import { describeLogContract } from '../../contracts/world/log-contract.ts'
import { describeObjectsContract } from '../../contracts/world/objects-contract.ts'
import { openForContract, openJoinedForContract } from './local-test-world.ts'

const name = 'the local world'

describeObjectsContract(name, openForContract)
describeLedgerContract(name, openForContract)
describeLabelsContract(name, openForContract)
describeLeaseContract(name, openForContract)
describeLogContract(name, openForContract)

const joined = 'a joined local world'

describeObjectsContract(joined, openJoinedForContract)
describeLedgerContract(joined, openJoinedForContract)
describeLabelsContract(joined, openJoinedForContract)
describeLeaseContract(joined, openJoinedForContract)

describeHostsContract(name, openForContract, { greeting: 'greeting', broken: 'broken' })
