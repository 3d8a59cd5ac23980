import { onTestFinished } from 'vitest'
import { ObjectIndex } from '../../shared/insight/transcripts/object-index.ts'
import { uniqueName } from '../core/contracts/world/contract-world.ts'
import { describeHostsContract } from '../core/contracts/world/hosts-contract.ts'
import { describeLabelsContract } from '../core/contracts/world/labels-contract.ts'
import { describeLeaseContract } from '../core/contracts/world/lease-contract.ts'
import { describeLedgerContract } from '../core/contracts/world/ledger-contract.ts'
import { describeLogContract } from '../core/contracts/world/log-contract.ts'
import { describeObjectsContract } from '../core/contracts/world/objects-contract.ts'
import { describeIndexContract } from '../insight/transcripts/index-contract.ts'
import { prefixedObjects } from '../support/prefixed-objects.ts'
import { openAwsTestWorld, openAwsTestWorldWithHosts } from './aws-test-world.ts'
import { isAccount, notShown, testedOver } from './not-shown.ts'

describeObjectsContract(testedOver, openAwsTestWorld)
describeLedgerContract(testedOver, openAwsTestWorld)
describeLabelsContract(testedOver, openAwsTestWorld)
describeLeaseContract(testedOver, openAwsTestWorld)
describeLogContract(testedOver, openAwsTestWorld)

describeIndexContract(`objects, ${testedOver}`, async () => {
  const { world, dispose } = await openAwsTestWorld()
  onTestFinished(dispose)
  return new ObjectIndex(prefixedObjects(world.objects, `${uniqueName()}/`))
})

const containers = notShown('containers')
if (isAccount && process.env.AWS_E2E_HOSTS === undefined) {
  console.log('not shown: account: hosts, because AWS_E2E_HOSTS does not say where they are launched')
} else {
  describeHostsContract(
    testedOver,
    openAwsTestWorldWithHosts,
    { greeting: 'greeting', broken: 'broken' },
    containers === undefined ? {} : { containers },
  )
}
