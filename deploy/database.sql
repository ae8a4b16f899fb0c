-- The container of PostgreSQL runs this once, when its volume is new (compose.yaml).
\getenv password POSTGRES_PASSWORD

CREATE ROLE lectern LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE lectern OWNER lectern ENCODING 'UTF8' TEMPLATE template0;

-- Otherwise the superuser would have Lectern's password. It now signs in only from inside the container.
ALTER ROLE postgres PASSWORD NULL;
