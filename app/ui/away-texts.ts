export const awayTexts = {
  offline: 'You are offline.',
  away: 'The shop cannot be reached just now.',
  calm: 'Nothing you typed is lost. This page goes on by itself.',
  back: 'Back online',
  later: 'The page opens when the connection is back.',
  notSent: 'Not sent: no connection. What you typed is still here.',
  failed: 'That did not work. Please try again.',
} as const
