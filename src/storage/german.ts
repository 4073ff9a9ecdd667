import type { Translations } from '../kernel/translations.ts';

/** German messages of fields and sentences of problems. */
export const storageGerman = {
  'must not be empty for a public file': 'darf bei einer öffentlichen Datei nicht leer sein',
  'must not contain unpaired surrogates': 'darf keine einzelnen Surrogate enthalten',
  'must not contain / or \\': 'darf kein / oder \\ enthalten',
  'must be a name, not blank, “.” or “..”': 'muss ein Name sein, nicht leer, „.“ oder „..“',
  'must be a date, or an ISO 8601 time with its offset, such as {}':
    'muss ein Datum sein, oder ein Zeitpunkt nach ISO 8601 mit Zeitzone, wie {}',
  'must be 0 (private) or 1 (public)': 'muss 0 (privat) oder 1 (öffentlich) sein',
  'must be true (create a new key) or null (remove the key)':
    'muss true (neuen Schlüssel erzeugen) oder null (Schlüssel entfernen) sein',
  'must be the id of a file': 'muss die ID einer Datei sein',
  'must be the id of a folder, or root': 'muss die ID eines Ordners sein, oder root',
  'must be viewer or editor': 'muss viewer oder editor sein',
  'must be viewer, editor or manager': 'muss viewer, editor oder manager sein',
  'must be view for chosen files': 'muss bei ausgewählten Dateien view sein',
  'is required unless fileIds is given': 'wird benötigt, wenn fileIds fehlt',
  'must not be given together with fileIds': 'darf nicht zusammen mit fileIds angegeben werden',
  'must come from the Link of the previous page': 'muss aus dem Link der vorigen Seite stammen',
  'must come from the Link of the previous page, with the same sort and order':
    'muss aus dem Link der vorigen Seite stammen, mit derselben Sortierung und Reihenfolge',
  'must be text in UTF-8, encoded in Base64': 'muss Text in UTF-8 sein, kodiert in Base64',
  'must name one of {}': 'muss eines von diesen nennen: {}',
  'must be {}, a space and the checksum in Base64':
    'muss aus {}, einem Leerzeichen und der Prüfsumme in Base64 bestehen',
  'must not exceed the bytes remaining to Upload-Length':
    'darf nicht mehr Bytes haben, als bis Upload-Length fehlen',
  'must have at least {} bytes after so many parts, unless it completes the upload':
    'muss nach so vielen Teilen mindestens {} Bytes haben, außer wenn er den Upload abschließt',
  'has more than {} bytes in addition to the file': 'hat außer der Datei mehr als {} Bytes',
  'has no name; choose a file': 'hat keinen Namen; wählen Sie eine Datei',
  'is required when the file part has no name': 'wird benötigt, wenn der Teil mit der Datei keinen Namen hat',
  'is not multipart/form-data: {}': 'ist nicht multipart/form-data: {}',
  'must be a number of bytes': 'muss eine Anzahl von Bytes sein',
  'must be pairs of a key and a value in Base64, separated by commas, each key once':
    'muss aus Paaren von Schlüssel und Wert in Base64 bestehen, durch Kommas getrennt, jeder Schlüssel einmal',
  'is not supported: send Upload-Length': 'wird nicht unterstützt: Senden Sie Upload-Length',
  'is not supported: send one upload': 'wird nicht unterstützt: Senden Sie einen einzigen Upload',
  'is not a key of the metadata of an upload': 'ist kein Schlüssel der Metadaten eines Uploads',
  'can be set only after the upload': 'kann erst nach dem Upload gesetzt werden',
  'cannot be changed by a replacement': 'kann beim Ersetzen nicht geändert werden',
  'cannot be set for a file that is sent through a link':
    'kann für eine Datei, die über einen Link gesendet wird, nicht gesetzt werden',

  'must be files of one workspace': 'müssen Dateien eines Arbeitsbereichs sein',
  'The body must not have a Content-Encoding.': 'Die Anfrage darf kein Content-Encoding haben.',
  'The file exceeds the limit of {} bytes.': 'Die Datei ist zu groß. Sie darf höchstens {} Bytes haben.',
  'A copy can have at most {} files and folders.':
    'Auf einmal können höchstens {} Dateien und Ordner kopiert werden. Kopieren Sie die Unterordner einzeln.',
  'A ZIP file can have at most {} files and folders.':
    'Eine ZIP-Datei kann höchstens {} Dateien und Ordner haben. Laden Sie die Unterordner einzeln herunter.',
  'A ZIP file can have at most {} folders.':
    'Eine ZIP-Datei kann höchstens {} Ordner haben. Laden Sie die Unterordner einzeln herunter.',
  'A folder can have at most {} subfolders.': 'Ein Ordner kann höchstens {} Unterordner haben.',
  'A folder with more than {} folders in it cannot be moved to a lower level.':
    'Ein Ordner mit mehr als {} Ordnern darin kann nicht auf eine tiefere Ebene verschoben werden.',
  'A folder can be at most {} levels below the root folder.':
    'Ein Ordner kann höchstens {} Ebenen unter dem obersten Ordner liegen.',
  'You have already created {} shared workspaces.':
    'Sie haben bereits {} gemeinsame Arbeitsbereiche angelegt. Bitten Sie einen Administrator um weitere.',
  'This requires the role `{}` in the workspace; yours is `{}`.':
    'Das erfordert im Arbeitsbereich die Rolle `{}`; Ihre ist `{}`.',
  'Tus-Resumable must be {}.': 'Tus-Resumable muss {} sein.',
  'A file with this name already exists.':
    'Es gibt bereits eine Datei mit diesem Namen. Wählen Sie einen anderen.',
  'A folder with this name already exists.':
    'Es gibt bereits einen Ordner mit diesem Namen. Wählen Sie einen anderen.',
  'This file has no thumbnail yet.': 'Die Datei hat noch kein Vorschaubild.',
  'This file has no preview yet.': 'Die Datei hat noch keine Vorschau.',
  'This link has been downloaded as often as its owner allowed.':
    'Über diesen Link wurde so oft heruntergeladen, wie es erlaubt ist.',
  'This file requires its access key.': 'Die Datei ist durch einen Zugriffsschlüssel geschützt.',
  'The access key of this file is wrong.': 'Der Zugriffsschlüssel ist falsch.',
  'This link requires its password.': 'Der Link ist durch ein Passwort geschützt.',
  'The password of this link is wrong.': 'Das Passwort ist falsch.',
  'The limit of {} tokens per workspace is reached.':
    'Dieser Arbeitsbereich hat bereits {} Zugriffstokens. Löschen Sie, was nicht mehr gebraucht wird.',
  'The limit of {} links per workspace is reached.':
    'Dieser Arbeitsbereich hat bereits {} Links. Löschen Sie, was nicht mehr gebraucht wird.',
  'The limit of {} unfinished uploads per member is reached.':
    'Sie haben bereits {} unvollständige Uploads. Beenden Sie diese, oder brechen Sie sie ab.',
} as const satisfies Translations;
