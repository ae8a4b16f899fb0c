-- The container of PostgreSQL runs this once, when its volume is new (compose.yaml).
\getenv password POSTGRES_PASSWORD

CREATE ROLE lectern LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE lectern OWNER lectern ENCODING 'UTF8' TEMPLATE template0;

-- The superuser then signs in only from inside the container, so Lectern's password is not also a superuser's.
ALTER ROLE postgres PASSWORD NULL;
