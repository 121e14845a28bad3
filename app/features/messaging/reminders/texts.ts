const messagesText = (count: number) => (count === 1 ? 'a message' : `${count} messages`)

export const reminderEmailTexts = {
  noText: 'An empty message',
  customerSubject: (count: number, shopName: string) =>
    count === 1 ? `A message for you at ${shopName}` : `${count} messages for you at ${shopName}`,
  customerText: ({
    name,
    signature,
    shopName,
    count,
    link,
    wait,
  }: Record<'name' | 'signature' | 'shopName' | 'wait', string> & {
    count: number
    link: string | null
  }) => `Hello ${name},

${signature} has sent you ${messagesText(count)} that you have not read yet.

${link ? `Read and answer here:\n${link}` : `To read and answer, open ${shopName}, log in and press the bell.`}

You received this email because something was unread for ${wait}. Until you have read it there is at most one a day.
`,
  ownerSubject: (customers: number, firstName: string, shopName: string) =>
    customers === 1
      ? `${firstName} wrote to you at ${shopName}`
      : `${customers} customers wrote to you at ${shopName}`,
  ownerSection: (name: string, email: string, count: number) =>
    `${name}${email ? ` (${email})` : ''}, ${count === 1 ? '1 unread message' : `${count} unread messages`}`,
  ownerEnd: (wait: string) =>
    `You received this email because something was unread for ${wait}. You can change that, or switch it off, under "Replies and alerts".\n`,
}
