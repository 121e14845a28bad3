/** Passwords that are tried first by whoever guesses: those of the well-known lists that have eight characters or more, and plain patterns. */

const known = new Set(
  `password password1 password12 password123 password1234 passw0rd p@ssw0rd p@ssword changeme changeme1 changeme123 letmein1 letmein123
  welcome1 welcome12 welcome123 iloveyou iloveyou1 sunshine sunshine1 princess princess1 football football1 baseball basketball superman
  superman1 batman123 trustno1 starwars whatever computer internet michelle jennifer jessica1 liverpool chelsea1 samsung1 dragon123
  monkey123 shadow123 master123 administrator admin123 admin1234 adminadmin administrator1 root1234 default1 secret123 testtest test1234
  qwerty12 qwerty123 qwerty1234 qwertyui qwertyuiop 1q2w3e4r 1q2w3e4r5t 1qaz2wsx zaq12wsx q1w2e3r4 asdfghjk asdfghjkl zxcvbnm1 abcd1234
  abc12345 abcdefg1 a1b2c3d4 aa123456 google12 facebook myspace1 mypassword owner123 ownerowner shop1234 macrame1 macrame123`.split(/\s+/),
)

/** Rows of keys and counting, forwards and backwards. */
const rows = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'].flatMap((row) => [
  row,
  [...row].toReversed().join(''),
])

/** `own`: what everybody knows of the person, such as her address. */
export function isWeakPassword(password: string, own: readonly string[] = []): boolean {
  const plain = password.toLowerCase()
  const bare = plain.replace(/[^a-z0-9]+$/, '')
  return (
    known.has(plain) ||
    known.has(bare) ||
    /^(.{1,4})\1+$/.test(plain) ||
    rows.some((row) => row.includes(plain)) ||
    own.some((word) => word.length > 2 && plain === word.toLowerCase())
  )
}
