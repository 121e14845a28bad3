import { MAX_MESSAGE_IMAGES } from './images/message-images.ts'

export const chatTexts = {
  log: 'Conversation',
  earlier: 'Earlier messages',
  earlierFailed: 'Earlier messages could not be loaded. ',
  new: 'New',
  newMessages: 'New messages',
  toEnd: 'To the end',
  newestMessages: 'Newest messages',
  send: 'Send',
  you: 'You: ',
  writer: (name: string) => `${name}: `,
  sent: 'Sent',
  read: 'Read',
  sending: 'Sending…',
  tryAgain: 'Try again',
  discard: 'Discard',
  message: 'Message',
  placeholder: 'Write a message',
  drop: 'Drop pictures here',
}

export const messageImageTexts = {
  add: 'Add pictures',
  choose: 'Choose pictures',
  takePhoto: 'Take photo',
  image: 'Picture',
  photo: 'Photo',
  chosen: 'Pictures to send',
  imageNumber: (number: number) => `picture ${number}`,
  remove: (number: number) => `Remove picture ${number}`,
  upload: (name: string) => `Upload of ${name}`,
  retry: 'Retry',
  retryUpload: (name: string) => `Retry upload of ${name}`,
  offline: 'Waiting for the connection',
  from: (sender: string) => `Picture from ${sender}`,
  oneFrom: (number: number, count: number, sender: string) =>
    `Picture ${number} of ${count} from ${sender}`,
  fromYou: (number: number, count: number) => `${number} of ${count}, from you`,
  you: 'you',
  message: (sender: string) => `the message of ${sender}`,
  failed: 'This picture could not be sent.',
  quota: 'Your conversation already has as many pictures as the shop can keep.',
  noSpace:
    'The shop cannot store any more pictures at the moment. Please send your message without one.',
  gone: 'This picture is no longer there.',
  tooMany: `A message can have at most ${MAX_MESSAGE_IMAGES} pictures. Send the others in the next one.`,
  someFailed: 'A picture could not be sent. Try it again or remove it.',
  lost: 'A picture of this message is no longer in the shop. Please add it again.',
  notUploaded:
    'Not all of its pictures were uploaded before the page was closed. Discard it and add them again.',
}

export const pieceTexts = {
  request: 'Order request',
  states: {
    requested: 'Requested',
    agreed: 'In an accepted offer',
    sold: 'Sold',
    removed: 'No longer in the order',
  },
  replaced: (isOwn: boolean) =>
    isOwn ? 'Replaced by your newer request' : 'Replaced by a newer request',
  quantity: (quantity: number) => `${quantity} ×`,
  gone: 'This piece is no longer in the shop.',
}

export const messagePanelTexts = {
  title: 'Messages',
  with: (ownerName: string) => `with ${ownerName}`,
  close: 'Close messages',
  empty: 'No messages yet. Ask about a piece, a color or a size; the answer appears here.',
  closed: 'Your last order is closed. Writing opens the conversation again.',
}

export const notificationTexts = {
  title: 'Sound and notifications',
  sound: 'Play a sound for new messages',
  notification: 'Show a notification',
  hint: 'For this device, while the shop is open in a tab.',
  denied:
    'This browser does not allow the shop to show notifications. You can allow it in its settings for this site.',
  unsupported:
    'This browser cannot show notifications here. On an iPhone, add the shop to the home screen first.',
}
