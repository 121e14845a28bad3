// npm run check:advisories: fails if a package of the lock file has a security advisory of high or
// critical severity. If the registry has no audit service, the check says that nothing was checked,
// and passes unless REQUIRE_ADVISORIES is 1.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { node24 } from './node24.mjs'
import { environment, root } from './run.mjs'

export function readAudit(output) {
  const audit = parse(output)
  if (!audit?.metadata?.vulnerabilities) {
    return { isChecked: false, failing: [], reason: audit?.message ?? 'npm audit gave no result' }
  }
  const failing = Object.values(audit.vulnerabilities ?? {}).filter(({ severity }) =>
    ['high', 'critical'].includes(severity),
  )
  return {
    isChecked: true,
    failing: failing.map(({ name, severity, range }) => `${name} ${range}: ${severity}`),
    reason: '',
  }
}

export function checkAdvisories(bin) {
  const { stdout } = spawnSync(
    'npm',
    ['audit', '--json', '--loglevel=error', '--fetch-retries=0', '--fetch-timeout=20000'],
    {
      cwd: root,
      env: environment(bin),
      encoding: 'utf8',
    },
  )
  const { isChecked, failing, reason } = readAudit(stdout ?? '')
  if (!isChecked) {
    console.log(
      `Advisories were not checked: the registry did not answer (${reason.replace(/https?:\/\/\S+/g, 'its address')}).`,
    )
    return process.env.REQUIRE_ADVISORIES === '1' ? 1 : 0
  }
  console.log(
    failing.length === 0 ? 'No advisory of high or critical severity.' : failing.join('\n'),
  )
  return Math.min(1, failing.length)
}

function parse(output) {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = checkAdvisories(await node24())
}
