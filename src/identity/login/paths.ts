export const LOGIN_PATH = '/login';
export const CALLBACK_PATH = '/auth/callback';
