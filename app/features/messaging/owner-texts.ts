import { pluralizePieces } from '#catalog/texts.ts'

export const conversationsTexts = {
  title: 'Messages',
  select: 'Select Message',
  list: 'Conversations',
  search: 'Search conversations',
  searchPlaceholder: 'Name, email or piece',
  filters: { all: 'All', unread: 'Unread', requests: 'Requests' },
  you: 'You:',
  noMessages: 'No messages',
  noText: '(without text)',
  unread: ' unread',
  contactPage: 'Contact page',
  closed: 'Closed',
  asksFor: (pieces: number) => `Asks for ${pluralizePieces(pieces)}`,
  newest: 'Newest',
  older: 'Older',
  noOlder: 'There are no older conversations.',
  noneFound: (search: string) => `Nothing found for “${search}”.`,
  noneShown: { all: '', unread: 'No unread messages.', requests: 'No open requests.' },
  gone: 'This conversation no longer exists. ',
  choose: 'Choose a conversation from the list.',
  none: 'No conversations yet. When a customer writes, the conversation appears here.',
}

export const conversationTexts = {
  empty: 'No messages yet.',
  email: (email: string, isUnconfirmed: boolean) =>
    `${email}${isUnconfirmed ? ' (email not confirmed yet)' : ''}`,
  show: 'Show',
  messages: 'Messages',
  order: 'Order',
  markAsRead: 'mark as read',
  close: 'Close Order',
  reopen: 'Reopen order',
  closeQuestion: 'Close this order? Its messages and items stay.',
  delete: 'Delete conversation',
  deleteQuestion: 'Delete this conversation with all its messages?',
  deleteAgreedQuestion:
    'Delete this conversation with all its messages? Its offers, recorded payments and pieces to make are deleted, too.',
  phone: ' Phone: ',
  fromContactPage:
    ' wrote from the contact page. Answer by email, and delete this conversation when done.',
  accountDeleted: 'This account was deleted: no one would read a reply.',
  savedReplies: 'Saved replies',
  noReplies: 'Nothing saved yet. ',
  firstReply: 'Write the first reply',
  editReplies: 'Edit the replies',
}

export const savedReplyTexts = {
  title: 'Saved replies',
  hint: {
    before:
      'What you write again and again. In a conversation, “Saved replies” puts one into your message. ',
    after: " becomes the customer's first name.",
  },
  add: 'Add a reply',
  name: 'Name',
  reply: 'Reply',
  save: 'Save',
  submitNew: 'Add',
  delete: (name: string) => `Delete ${name}`,
  deleteQuestion: (name: string) => `Delete the reply “${name}”?`,
  gone: 'This reply is no longer there.',
  changed: 'Reply changed',
  saved: 'Reply saved',
  deleted: 'Reply deleted',
  noName: 'Please give the reply a name',
  longName: (limit: number) => `Please keep the name under ${limit} characters`,
  noText: 'Please write the reply',
  longText: (limit: number) =>
    `Please keep the reply under ${limit.toLocaleString('en-US')} characters`,
}

export const vacationTexts = {
  title: 'While you are away',
  states: {
    none: 'You are not away. With a first or a last day, customers read this in their chat.',
    planned: (from: string | null, until: string | null) =>
      `Customers will see this from ${from}${until ? ` to ${until}` : ' on'}.`,
    now: (until: string | null) =>
      `Customers see this now${until ? `, and the last time on ${until}` : ', until you clear the first day'}.`,
    over: (until: string | null) => `This was shown until ${until}. It is not shown now.`,
  },
  firstDay: 'First day',
  lastDay: 'Last day',
  message: 'Away message',
  placeholder: 'I answer everything as soon as I am back.',
  save: 'Save away message',
  saved: 'Away message saved',
  longMessage: (limit: number) => `Please keep the message under ${limit} characters`,
  invalidDay: 'Please choose a day, or leave it empty',
  wrongOrder: 'The last day is before the first',
}

export const repliesTexts = {
  title: 'Replies and alerts',
  device: 'On this device',
  deviceHint: 'While the shop is open in a tab, also in the background.',
  reminders: 'Emails about unread messages',
  remindersHint: {
    before:
      "When a message stays unread, yours or a customer's, the recipient gets one email that leads back here. Emails that could not be delivered are listed under ",
    link: 'Mail',
    after: '.',
  },
  noMailServer: {
    before: 'The shop cannot send emails yet. Set up your mailbox under ',
    link: 'Mail',
    after: '.',
  },
  noAddress: {
    before:
      'The shop does not know its address on the internet, so links in emails work only on this computer. The person who runs the server can change this with the setting ',
    after: '.',
  },
  sendEmail: 'Send an email',
  save: 'Save',
  saved: 'Settings saved',
  notInList: 'Please choose from the list',
}
