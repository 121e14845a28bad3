import { MAX_MESSAGE_LENGTH } from './message.ts'

export const messageTexts = {
  tooLong: `A message can have at most ${MAX_MESSAGE_LENGTH.toLocaleString('en-US')} characters. Please shorten it; your text stays in the field.`,
  notSent: 'This message could not be sent.',
  orderClosed: 'Order is Closed',
  noReply: 'No Reply',
}

export const guestNoteTexts = {
  onlyHere:
    'You are a guest: the answer waits only in this browser. With an account, it also reaches you by email and on your other devices.',
  link: 'Link Guest Account',
}
